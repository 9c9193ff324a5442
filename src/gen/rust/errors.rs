// Not every model needs all of this.
#![allow(dead_code, unused_imports, unused_macros)]

use std::fmt;

use aws_sdk_dynamodb::error::SdkError;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a function of this package did not do what it is for.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A value would make another key than its own.
    InvalidKeyPart(InvalidKeyPart),
    /// There is such an item already. Nothing was written.
    AlreadyExists(Refusal),
    /// There is no such item. Nothing was written.
    NotFound(Refusal),
    /// There is no such item, or it is not as the write demands. Nothing was written.
    ConditionNotMet(Refusal),
    /// Another writer was faster. Nothing was written; trying again is safe.
    Conflict(Refusal),
    /// An item, or a row that is to be written, lacks an attribute that it must have.
    MissingAttribute(String),
    /// What DynamoDB, or the way to it, answered.
    Service(Box<aws_sdk_dynamodb::Error>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InvalidKeyPart(part) => part.fmt(f),
            Error::AlreadyExists(refusal) => write!(f, "{} exists already", refusal.entity),
            Error::NotFound(refusal) => write!(f, "{} does not exist", refusal.entity),
            Error::ConditionNotMet(refusal) => write!(
                f,
                "{} does not exist, or does not allow this write",
                refusal.entity
            ),
            Error::Conflict(refusal) => {
                write!(f, "{} was changed by another writer", refusal.entity)
            }
            Error::MissingAttribute(name) => write!(f, "there is no {name}"),
            Error::Service(_) => write!(f, "DynamoDB refused a request, or was not reached"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::InvalidKeyPart(_) | Error::MissingAttribute(_) => None,
            Error::AlreadyExists(refusal)
            | Error::NotFound(refusal)
            | Error::ConditionNotMet(refusal)
            | Error::Conflict(refusal) => refusal.cause.as_deref().map(|cause| cause as _),
            Error::Service(cause) => Some(cause.as_ref()),
        }
    }
}

impl<E, R> From<SdkError<E, R>> for Error
where
    aws_sdk_dynamodb::Error: From<SdkError<E, R>>,
{
    fn from(cause: SdkError<E, R>) -> Self {
        aws_sdk_dynamodb::Error::from(cause).into()
    }
}

impl From<aws_sdk_dynamodb::Error> for Error {
    fn from(cause: aws_sdk_dynamodb::Error) -> Self {
        Error::Service(Box::new(cause))
    }
}

/// Which write was refused, and what DynamoDB said.
#[derive(Debug)]
pub struct Refusal {
    pub entity: String,
    pub cause: Option<Box<aws_sdk_dynamodb::Error>>,
}

/// A value that would make another key than its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidKeyPart {
    pub attribute: String,
    pub value: String,
    pub reason: String,
}

impl fmt::Display for InvalidKeyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            attribute, reason, ..
        } = self;
        write!(f, "{attribute} cannot be part of a key: it {reason}")
    }
}

impl std::error::Error for InvalidKeyPart {}
