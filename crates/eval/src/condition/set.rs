//! Many conditions at once: what they ask of a position is worked out once for all of them.

use super::{Comparison, Condition, Facts, Number, Truth};

/// Something that is asked of a position: a number, or a truth as 0 or 1.
#[derive(Clone, Debug)]
enum Question {
    Number(Number),
    Truth(Truth),
    /// Answers to earlier questions, each times a factor, and a constant.
    Sum(Sum),
}

impl Question {
    /// Its name: questions with the same name are the same.
    fn name(&self) -> String {
        match self {
            Self::Number(Number::Feature(feature, color)) => format!("{}({color:?})", feature.name),
            Self::Number(number) => format!("{number:?}"),
            Self::Truth(truth) => format!("{truth:?}"),
            Self::Sum(sum) => format!("{sum:?}"),
        }
    }

    fn answer(&self, facts: &Facts<'_>, answers: &[f64]) -> f64 {
        match self {
            Self::Number(number) => number.value(facts),
            Self::Truth(truth) => f64::from(u8::from(truth.holds(facts))),
            Self::Sum(sum) => sum.value(answers),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Sum {
    terms: Vec<(usize, f64)>,
    constant: f64,
}

impl Sum {
    fn value(&self, answers: &[f64]) -> f64 {
        let terms = self.terms.iter().map(|&(question, factor)| factor * answers[question]);
        terms.fold(self.constant, |sum, term| sum + term)
    }
}

/// Is an answer within bounds, or is it not? Every comparison with a constant is of this kind, and
/// hundreds of them cost little without branches.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Leaf {
    question: usize,
    low: f64,
    high: f64,
    inside: bool,
}

impl Leaf {
    fn new(question: usize, comparison: Comparison, limit: f64) -> Self {
        let (low, high, inside) = match comparison {
            Comparison::Less => (f64::NEG_INFINITY, limit.next_down(), true),
            Comparison::AtMost => (f64::NEG_INFINITY, limit, true),
            Comparison::Equal => (limit, limit, true),
            Comparison::Different => (limit, limit, false),
            Comparison::AtLeast => (limit, f64::INFINITY, true),
            Comparison::More => (limit.next_up(), f64::INFINITY, true),
        };
        Self { question, low, high, inside }
    }

    fn holds(&self, answers: &[f64]) -> bool {
        let answer = answers[self.question];
        ((answer >= self.low) & (answer <= self.high)) == self.inside
    }
}

/// A condition by the numbers of its leaves.
#[derive(Clone, Debug)]
enum Numbered {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Leaf(usize),
}

impl Numbered {
    fn holds(&self, leaves: &[bool]) -> bool {
        match self {
            Self::Leaf(leaf) => leaves[*leaf],
            Self::And(a, b) => a.holds(leaves) && b.holds(leaves),
            Self::Or(a, b) => a.holds(leaves) || b.holds(leaves),
            Self::Not(a) => !a.holds(leaves),
        }
    }
}

/// Conditions that are asked together.
#[derive(Clone, Debug, Default)]
pub struct ConditionSet {
    questions: Vec<Question>,
    names: Vec<String>,
    leaves: Vec<Leaf>,
    conditions: Vec<Numbered>,
}

/// Room for the answers of a position, to be used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    answers: Vec<f64>,
    leaves: Vec<bool>,
}

impl ConditionSet {
    /// These conditions.
    pub fn new<'a>(conditions: impl IntoIterator<Item = &'a Condition>) -> Self {
        let mut set = Self::default();
        for condition in conditions {
            let numbered = set.number(&condition.truth);
            set.conditions.push(numbered);
        }
        set
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Are there none?
    pub const fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Which conditions a position meets, in their order.
    pub fn hold<'a>(
        &'a self,
        facts: &Facts<'_>,
        answers: &'a mut Answers,
    ) -> impl Iterator<Item = bool> + 'a {
        let Answers { answers, leaves } = answers;
        answers.clear();
        for question in &self.questions {
            let answer = question.answer(facts, answers);
            answers.push(answer);
        }
        leaves.clear();
        leaves.extend(self.leaves.iter().map(|leaf| leaf.holds(answers)));
        // Most conditions are leaves; the rest is not worth being inlined.
        self.conditions.iter().map(|condition| match condition {
            Numbered::Leaf(leaf) => leaves[*leaf],
            other => other.holds(leaves),
        })
    }

    /// The number of a question, which may be known.
    fn ask(&mut self, question: Question) -> usize {
        let name = question.name();
        let known = self.names.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.names.push(name);
            self.questions.push(question);
            self.questions.len() - 1
        })
    }

    fn number(&mut self, truth: &Truth) -> Numbered {
        match truth {
            Truth::And(a, b) => Numbered::And(Box::new(self.number(a)), Box::new(self.number(b))),
            Truth::Or(a, b) => Numbered::Or(Box::new(self.number(a)), Box::new(self.number(b))),
            Truth::Not(a) => Numbered::Not(Box::new(self.number(a))),
            Truth::Compare(a, comparison, b) => {
                let [mut left, right] = [a, b].map(|number| {
                    let mut sum = Sum::default();
                    self.add(&mut sum, number, 1.0);
                    sum
                });
                // What is asked on the right goes to the left, so that a constant remains.
                left.terms
                    .extend(right.terms.iter().map(|&(question, factor)| (question, -factor)));
                let limit = right.constant;
                let question = match (&*left.terms, left.constant) {
                    ([(question, 1.0)], 0.0) => *question,
                    _ => self.ask(Question::Sum(left)),
                };
                self.leaf(Leaf::new(question, *comparison, limit))
            }
            leaf => {
                let question = self.ask(Question::Truth(leaf.clone()));
                self.leaf(Leaf::new(question, Comparison::Different, 0.0))
            }
        }
    }

    /// The number of a leaf, which may be known.
    fn leaf(&mut self, leaf: Leaf) -> Numbered {
        let known = self.leaves.iter().position(|known| *known == leaf);
        Numbered::Leaf(known.unwrap_or_else(|| {
            self.leaves.push(leaf);
            self.leaves.len() - 1
        }))
    }

    /// Adds a number to a sum, so many times.
    fn add(&mut self, sum: &mut Sum, number: &Number, factor: f64) {
        match number {
            Number::Constant(value) => sum.constant += factor * value,
            Number::Minus(a) => self.add(sum, a, -factor),
            Number::Sum(a, b) => {
                self.add(sum, a, factor);
                self.add(sum, b, factor);
            }
            Number::Difference(a, b) => {
                self.add(sum, a, factor);
                self.add(sum, b, -factor);
            }
            leaf => sum.terms.push((self.ask(Question::Number(leaf.clone())), factor)),
        }
    }
}
