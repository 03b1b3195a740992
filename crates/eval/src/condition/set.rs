//! Many conditions at once: what they ask of a position is worked out once for all of them.

use super::{Comparison, Condition, Facts, Number, Truth};

/// Something that is asked of a position: a number, or a truth as 0 or 1.
#[derive(Clone, Debug)]
enum Question {
    Number(Number),
    Truth(Truth),
}

impl Question {
    /// Its name: questions with the same name are the same.
    fn name(&self) -> String {
        match self {
            Self::Number(Number::Feature(feature, color)) => format!("{}({color:?})", feature.name),
            Self::Number(number) => format!("{number:?}"),
            Self::Truth(truth) => format!("{truth:?}"),
        }
    }

    fn answer(&self, facts: &Facts<'_>) -> f64 {
        match self {
            Self::Number(number) => number.value(facts),
            Self::Truth(truth) => f64::from(u8::from(truth.holds(facts))),
        }
    }
}

/// A sum of answers, each times a factor, and a constant.
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

/// A condition whose questions have numbers.
#[derive(Clone, Debug)]
enum Numbered {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Asked(usize),
    /// One answer beside a constant, as most conditions are.
    Limit(usize, Comparison, f64),
    Compare(Box<[Sum; 2]>, Comparison),
}

impl Numbered {
    fn holds(&self, answers: &[f64]) -> bool {
        match self {
            Self::And(a, b) => a.holds(answers) && b.holds(answers),
            Self::Or(a, b) => a.holds(answers) || b.holds(answers),
            Self::Not(a) => !a.holds(answers),
            Self::Asked(question) => answers[*question] != 0.0,
            Self::Limit(question, comparison, limit) => {
                comparison.holds(answers[*question], *limit)
            }
            Self::Compare(sides, comparison) => {
                comparison.holds(sides[0].value(answers), sides[1].value(answers))
            }
        }
    }
}

/// Conditions that are asked together.
#[derive(Clone, Debug, Default)]
pub struct ConditionSet {
    questions: Vec<Question>,
    names: Vec<String>,
    conditions: Vec<Numbered>,
}

/// Room for the answers of a position, to be used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Answers(Vec<f64>);

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
        answers.0.clear();
        answers.0.extend(self.questions.iter().map(|question| question.answer(facts)));
        let answers = &answers.0;
        self.conditions.iter().map(|condition| condition.holds(answers))
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
                let sides = [a, b].map(|number| {
                    let mut sum = Sum::default();
                    self.add(&mut sum, number, 1.0);
                    sum
                });
                match (&*sides[0].terms, &*sides[1].terms) {
                    ([(question, 1.0)], []) if sides[0].constant == 0.0 => {
                        Numbered::Limit(*question, *comparison, sides[1].constant)
                    }
                    _ => Numbered::Compare(Box::new(sides), *comparison),
                }
            }
            leaf => Numbered::Asked(self.ask(Question::Truth(leaf.clone()))),
        }
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
