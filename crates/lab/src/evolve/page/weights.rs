//! All weights: the thesis's table 4, with what each feature does.

use tesuji_eval::{Group, Weights};
use tesuji_learn::analysis::{KnockOut, knock_out};
use tesuji_report::{Axis, Bar, BarChart, Cell, Cloud, Column, Page, Scatter, Table};

use crate::evolve::EvolveOutcome;

pub(super) fn add(page: &mut Page, outcome: &EvolveOutcome) {
    let set = outcome.data.set();
    let groups: Vec<(Group, Vec<usize>)> = Group::ALL
        .into_iter()
        .map(|group| (group, set.of_group(group).collect::<Vec<_>>()))
        .filter(|(_, features)| !features.is_empty())
        .collect();
    let best = &outcome.winner().weights;
    let lists: Vec<Vec<usize>> = groups.iter().map(|(_, features)| features.clone()).collect();
    let of_groups = knock_out(&outcome.data, best, &lists);
    let lists: Vec<Vec<usize>> = (0..set.len()).map(|feature| vec![feature]).collect();
    let of_features = knock_out(&outcome.data, best, &lists);
    page.section("All weights");
    page.paragraph(
        "Features are grouped by what they are about. A bonus is shown without the value of the \
         piece that it is added to. The last column tells by how much the number of solved \
         positions changes when the feature is silenced and all other weights stay as they are, \
         with one standard error.",
    );
    page.table(&table(outcome, &groups, &of_features));
    if ["paper", "paper-code", "legacy"].contains(&set.name()) {
        page.figure(
            &beside_thesis(outcome, &groups),
            "Weights of the best run against those of the thesis; on the dashed line they are \
             equal.",
        );
    }
    page.section("What each group is worth");
    page.paragraph(
        "What the best weights lose when a whole group is silenced. Nothing is learned anew, so \
         this is what the group does now, not what could be reached without it: that is what \
         the command tesuji ablate measures.",
    );
    let mut chart = BarChart::new("change", Axis::new("change in solved positions"), 0);
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| of_groups[a].change().total_cmp(&of_groups[b].change()));
    for i in order {
        let (change, error) = (of_groups[i].change(), of_groups[i].error());
        let label = format!("{} ({})", groups[i].0.name(), groups[i].1.len());
        chart = chart.bar(Bar::new(&label, change).error(change - error, change + error));
    }
    page.figure(&chart, "Solved positions lost without each group; in brackets its features.");
}

/// The weights that the thesis has for a feature of the same name.
fn thesis_weight(published: Option<&Weights>, name: &str) -> Option<f64> {
    let published = published?;
    published.set().index_of(name).map(|i| f64::from(published.values()[i]))
}

fn table(outcome: &EvolveOutcome, groups: &[(Group, Vec<usize>)], effects: &[KnockOut]) -> Table {
    let published = Weights::named("published");
    let mut table = Table::new([
        Column::text("feature"),
        Column::number("best run"),
        Column::number("thesis"),
        Column::text("all runs (diamond: thesis)"),
        Column::number("without it"),
    ]);
    for (group, features) in groups {
        table.heading(group.name());
        for &i in features {
            let feature = &outcome.data.set().features()[i];
            let thesis = thesis_weight(published.as_ref(), feature.name);
            let all = outcome.winners.iter().map(|winner| f64::from(winner.weights[i]));
            let spread = Cell::spread(all, 0);
            let effect = effects[i];
            table.row([
                Cell::text(feature.name).note(feature.sentence),
                Cell::number(f64::from(outcome.winner().weights[i]), 0).strong(),
                thesis.map_or_else(Cell::empty, |thesis| Cell::number(thesis, 0)),
                match thesis {
                    Some(thesis) => spread.mark(thesis),
                    None => spread,
                },
                Cell::plus_minus(effect.change(), effect.error(), 0),
            ]);
        }
    }
    table
}

fn beside_thesis(outcome: &EvolveOutcome, groups: &[(Group, Vec<usize>)]) -> Scatter {
    let published = Weights::named("published");
    let axes = (Axis::new("weight in the thesis"), Axis::new("weight here, best run"));
    let mut scatter = Scatter::new(axes.0, axes.1);
    let mut others = Cloud::new("other features");
    for (group, features) in groups {
        let mut cloud = Cloud::new(group.name());
        for &i in features {
            let name = outcome.data.set().features()[i].name;
            let Some(thesis) = thesis_weight(published.as_ref(), name) else { continue };
            let weight = f64::from(outcome.winner().weights[i]);
            if *group == Group::Material {
                cloud = cloud.point(thesis, weight, "");
            } else {
                others = others.point(thesis, weight, "");
            }
        }
        if *group == Group::Material {
            scatter = scatter.cloud(cloud);
        }
    }
    scatter.cloud(others).diagonal()
}
