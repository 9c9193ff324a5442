// All lessons, in the order in which they are best read.
import type { Lesson } from './lesson.ts';
import { addresses } from './lessons/addresses.ts';
import { books } from './lessons/books.ts';
import { orgsUsersTickets } from './lessons/orgs_users_tickets.ts';
import { places } from './lessons/places.ts';
import { studentsCourses } from './lessons/students_courses.ts';

export const lessons: Lesson[] = [studentsCourses, orgsUsersTickets, places, books, addresses];
