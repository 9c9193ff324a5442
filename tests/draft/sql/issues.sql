-- An issue tracker as SQLite and SQL Server write one: names in brackets, a table that points at itself.
CREATE TABLE [Project]
(
    [ProjectId] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    [Key] NVARCHAR(10) NOT NULL UNIQUE,
    [Name] NVARCHAR(80) NOT NULL
);
GO
CREATE TABLE [Account]
(
    [AccountId] INTEGER NOT NULL,
    [Login] NVARCHAR(40) NOT NULL,
    [ReportsTo] INTEGER,
    CONSTRAINT [PK_Account] PRIMARY KEY ([AccountId]),
    FOREIGN KEY ([ReportsTo]) REFERENCES [Account] ([AccountId])
		ON DELETE NO ACTION ON UPDATE NO ACTION
);
GO
CREATE TABLE [Issue]
(
    [ProjectId] INTEGER NOT NULL,
    [Number] INTEGER NOT NULL,
    [Title] NVARCHAR(200) NOT NULL,
    [State] NVARCHAR(12) NOT NULL,
    [AuthorId] INTEGER NOT NULL,
    [AssigneeId] INTEGER,
    [CreatedAt] DATETIME NOT NULL,
    CONSTRAINT [PK_Issue] PRIMARY KEY ([ProjectId], [Number]),
    FOREIGN KEY ([ProjectId]) REFERENCES [Project] ([ProjectId]),
    FOREIGN KEY ([AuthorId]) REFERENCES [Account] ([AccountId]),
    FOREIGN KEY ([AssigneeId]) REFERENCES [Account] ([AccountId])
);
CREATE TABLE [Comment]
(
    [CommentId] INTEGER PRIMARY KEY NOT NULL,
    [ProjectId] INTEGER NOT NULL,
    [IssueNumber] INTEGER NOT NULL,
    [AuthorId] INTEGER NOT NULL REFERENCES [Account] ([AccountId]),
    [Body] TEXT NOT NULL,
    FOREIGN KEY ([ProjectId], [IssueNumber]) REFERENCES [Issue] ([ProjectId], [Number])
);
CREATE TABLE [Label]
(
    [LabelId] INTEGER PRIMARY KEY NOT NULL,
    [Name] NVARCHAR(40) NOT NULL
);
CREATE TABLE [IssueLabel]
(
    [ProjectId] INTEGER NOT NULL,
    [Number] INTEGER NOT NULL,
    [LabelId] INTEGER NOT NULL REFERENCES [Label],
    PRIMARY KEY ([ProjectId], [Number], [LabelId]),
    FOREIGN KEY ([ProjectId], [Number]) REFERENCES [Issue]
);
CREATE VIRTUAL TABLE IssueText USING fts5(Title, Body);
