//<![CDATA[
// Steps through the game of the page with the keyboard, without moving the page, and marks the place
// in the list of moves and on the graph. Without it the same links work by the address alone.
"use strict";
(() => {
  const plies = [...document.querySelectorAll(".ply")];
  const byId = new Map(plies.map((ply) => [ply.id, ply]));
  const list = document.querySelector(".moves");
  const named = () => byId.get(location.hash.slice(1));
  let current = null;

  // The list scrolls to the current move; the page stays where it is.
  function showInList(link) {
    const top = link.offsetTop;
    if (top < list.scrollTop || top + link.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function show(ply) {
    if (current) {
      current.classList.remove("current");
    }
    current = ply;
    ply.classList.add("current");
    for (const old of document.querySelectorAll("[aria-current]")) {
      old.removeAttribute("aria-current");
    }
    for (const link of document.querySelectorAll(`a[href="#${ply.id}"]`)) {
      const strip = link.querySelector(".strip");
      if (strip) {
        const middle = Number(strip.getAttribute("x")) + Number(strip.getAttribute("width")) / 2;
        const cursor = link.closest("svg").querySelector(".cursor");
        cursor.setAttribute("x1", middle);
        cursor.setAttribute("x2", middle);
      } else if (link.closest(".moves")) {
        link.setAttribute("aria-current", "true");
        showInList(link);
      }
    }
  }

  function go(ply) {
    history.replaceState(null, "", `#${ply.id}`);
    show(ply);
  }

  function step(name) {
    const link = current.querySelector(`[data-step="${name}"]`);
    if (link) {
      go(byId.get(link.hash.slice(1)));
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    const address = link && link.getAttribute("href");
    const ply = address && byId.get(address.slice(1));
    if (!ply || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    go(ply);
    // A board further down is brought into view when a mistake below it is looked up.
    if (!link.closest(".game, figure")) {
      ply.scrollIntoView({ block: "nearest" });
    }
    // Whoever steps with a button finds the same button on the next board.
    const name = link.getAttribute("data-step");
    const same = name && ply.querySelector(`[data-step="${name}"]`);
    if (same) {
      same.focus({ preventScroll: true });
    }
  });

  const keys = { ArrowLeft: "before", ArrowRight: "after" };
  const shifted = { ArrowLeft: "fault-before", ArrowRight: "fault-after" };
  document.addEventListener("keydown", (event) => {
    const name = (event.shiftKey ? shifted : keys)[event.key];
    if (name && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      step(name);
    }
  });

  window.addEventListener("hashchange", () => named() && show(named()));
  document.documentElement.classList.add("scripted");
  show(named() || document.querySelector(".ply.shown"));
})();
//]]>
