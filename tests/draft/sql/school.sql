-- A school as mysqldump writes one.
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `teachers`;
CREATE TABLE `teachers` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(60) COLLATE utf8mb4_unicode_ci NOT NULL,
  `hired` date DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12 DEFAULT CHARSET=utf8mb4 COMMENT='People who teach; see `staff`';
CREATE TABLE `courses` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `code` char(8) NOT NULL,
  `title` varchar(120) NOT NULL,
  `level` enum('basic','advanced') NOT NULL DEFAULT 'basic',
  `teacher_id` int(10) unsigned NOT NULL,
  `syllabus` mediumtext,
  `updated_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_code` (`code`),
  KEY `by_teacher` (`teacher_id`),
  FULLTEXT KEY `by_text` (`title`,`syllabus`),
  CONSTRAINT `courses_ibfk_1` FOREIGN KEY (`teacher_id`) REFERENCES `teachers` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE `students` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `first_name` varchar(40) NOT NULL,
  `last_name` varchar(40) NOT NULL,
  `full_name` varchar(81) GENERATED ALWAYS AS (concat(`first_name`,' ',`last_name`)) VIRTUAL,
  `photo` mediumblob,
  `active` tinyint(1) NOT NULL DEFAULT '1',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE `enrolments` (
  `student_id` int(10) unsigned NOT NULL,
  `course_id` int(10) unsigned NOT NULL,
  `grade` decimal(3,1) DEFAULT NULL,
  PRIMARY KEY (`student_id`,`course_id`),
  KEY `by_course` (`course_id`),
  CONSTRAINT `e1` FOREIGN KEY (`student_id`) REFERENCES `students` (`id`) ON DELETE CASCADE,
  CONSTRAINT `e2` FOREIGN KEY (`course_id`) REFERENCES `courses` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TRIGGER `stamp` BEFORE UPDATE ON `courses` FOR EACH ROW SET NEW.updated_at = NOW();
