// All lessons by chapter, in the order in which they are best read.
import type { Lesson } from './lesson.ts';
import { addresses } from './lessons/addresses.ts';
import { books } from './lessons/books.ts';
import { changingKeys } from './lessons/changing_keys.ts';
import { geohash } from './lessons/geohash.ts';
import { normalised } from './lessons/normalised.ts';
import { orgsUsersTickets } from './lessons/orgs_users_tickets.ts';
import { places } from './lessons/places.ts';
import { queryAndScan } from './lessons/query_and_scan.ts';
import { shallowDuplication } from './lessons/shallow_duplication.ts';
import { singleTable } from './lessons/single_table.ts';
import { studentsCourses } from './lessons/students_courses.ts';
import { timeSeries } from './lessons/time_series.ts';
import { twoIndexes } from './lessons/two_indexes.ts';
import { userOrders } from './lessons/user_orders.ts';
import { writeSharding } from './lessons/write_sharding.ts';

export const chapters: { title: string; lessons: Lesson[] }[] = [
  { title: 'First steps', lessons: [userOrders, queryAndScan, singleTable] },
  { title: 'One to many', lessons: [orgsUsersTickets, places, books, addresses, timeSeries, geohash] },
  { title: 'Many to many', lessons: [studentsCourses, shallowDuplication, normalised] },
  { title: 'Indexes and load', lessons: [twoIndexes, changingKeys, writeSharding] },
];

export const lessons: Lesson[] = chapters.flatMap((chapter) => chapter.lessons);
