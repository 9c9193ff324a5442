// All lessons, in the order in which they are best read.
import type { Lesson } from './lesson.ts';
import { addresses } from './lessons/addresses.ts';
import { books } from './lessons/books.ts';
import { changingKeys } from './lessons/changing_keys.ts';
import { normalised } from './lessons/normalised.ts';
import { orgsUsersTickets } from './lessons/orgs_users_tickets.ts';
import { places } from './lessons/places.ts';
import { shallowDuplication } from './lessons/shallow_duplication.ts';
import { studentsCourses } from './lessons/students_courses.ts';
import { timeSeries } from './lessons/time_series.ts';
import { twoIndexes } from './lessons/two_indexes.ts';
import { writeSharding } from './lessons/write_sharding.ts';

export const lessons: Lesson[] = [
  studentsCourses, orgsUsersTickets, places, books, addresses, shallowDuplication, normalised, timeSeries, twoIndexes, changingKeys, writeSharding,
];
