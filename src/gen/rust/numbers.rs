// Not every model needs all of this.
#![allow(dead_code, unused_imports, unused_macros)]

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A number with all the digits that DynamoDB keeps, written without exponent. Equal numbers have equal texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number(String);

/// A text is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidNumber(pub String);

impl fmt::Display for InvalidNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a number: {:?}", self.0)
    }
}

impl std::error::Error for InvalidNumber {}

impl Number {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same in a type of Rust's own: `i64`, `f64` …, if it has room for it.
    pub fn to<T: FromStr>(&self) -> Option<T> {
        self.0.parse().ok()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Number {
    type Err = InvalidNumber;

    fn from_str(text: &str) -> std::result::Result<Self, InvalidNumber> {
        match Decimal::read(text) {
            Some(decimal) => Ok(decimal.number()),
            None => Err(InvalidNumber(text.to_owned())),
        }
    }
}

macro_rules! number_from {
    ($($integer:ty)*) => {
        $(impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                number(&value.to_string())
            }
        })*
    };
}
number_from!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl TryFrom<f64> for Number {
    type Error = InvalidNumber;

    fn try_from(value: f64) -> std::result::Result<Self, InvalidNumber> {
        value.to_string().parse()
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let difference = sum(self, &negative(other));
        match difference.0.as_bytes() {
            b"0" => Ordering::Equal,
            [b'-', ..] => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is no number is 0.
pub fn number(text: &str) -> Number {
    Decimal::read(text).unwrap_or_default().number()
}

pub fn negative(of: &Number) -> Number {
    match of.0.strip_prefix('-') {
        Some(rest) => Number(rest.to_owned()),
        None if of.0 == "0" => of.clone(),
        None => Number(format!("-{of}")),
    }
}

/// The exact sum.
pub fn sum(a: &Number, b: &Number) -> Number {
    let (mut a, mut b) = (
        Decimal::read(a.as_str()).unwrap_or_default(),
        Decimal::read(b.as_str()).unwrap_or_default(),
    );
    let exponent = a.exponent.min(b.exponent);
    a.lower_to(exponent);
    b.lower_to(exponent);
    let length = a.digits.len().max(b.digits.len());
    a.widen_to(length);
    b.widen_to(length);
    if a.digits < b.digits {
        std::mem::swap(&mut a, &mut b);
    }
    let mut digits = vec![0; length];
    let mut carry = 0;
    for i in (0..length).rev() {
        if a.negative == b.negative {
            let digit = a.digits[i] + b.digits[i] + carry;
            (digits[i], carry) = (digit % 10, digit / 10);
        } else {
            let digit = 10 + a.digits[i] - b.digits[i] - carry;
            (digits[i], carry) = (digit % 10, 1 - digit / 10);
        }
    }
    digits.insert(0, carry);
    Decimal {
        negative: a.negative,
        digits,
        exponent,
    }
    .number()
}

/// The digits of a number, the largest first, and where its point is.
#[derive(Default)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// So far from 1 no number of DynamoDB is.
    const EXPONENT_MAX: i32 = 200;

    fn read(text: &str) -> Option<Self> {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        if all.is_empty() || !all.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent.parse::<i32>().ok()?;
        if exponent.abs() > Self::EXPONENT_MAX {
            return None;
        }
        Some(Self {
            negative,
            digits: all.bytes().map(|c| c - b'0').collect(),
            exponent: exponent - i32::try_from(fraction.len()).ok()?,
        })
    }

    fn lower_to(&mut self, exponent: i32) {
        while self.exponent > exponent {
            self.digits.push(0);
            self.exponent -= 1;
        }
    }

    fn widen_to(&mut self, length: usize) {
        self.digits
            .splice(0..0, vec![0; length - self.digits.len()]);
    }

    fn number(mut self) -> Number {
        while self.exponent < 0 && self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent += 1;
        }
        self.lower_to(0);
        let places = self.exponent.unsigned_abs() as usize;
        self.widen_to(self.digits.len().max(places + 1));
        let text: String = self.digits.iter().map(|c| char::from(c + b'0')).collect();
        let (whole, fraction) = text.split_at(text.len() - places);
        let whole = whole.trim_start_matches('0');
        let mut plain = String::new();
        if self.negative && self.digits.iter().any(|c| *c != 0) {
            plain.push('-');
        }
        plain.push_str(if whole.is_empty() { "0" } else { whole });
        if !fraction.is_empty() {
            plain.push('.');
            plain.push_str(fraction);
        }
        Number(plain)
    }
}
