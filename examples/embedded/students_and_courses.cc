// Students, courses and enrolments in one table, without a server.
//
// The base table answers "which courses does this student take?"; the inverted index GSI1 answers
// "who takes this course?". Run it with a directory to keep the data there, or without for a
// database in memory.
#include <prejoin/database.h>
#include <prejoin/pages.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

using prejoin::AttributeValues;
using prejoin::Database;
using prejoin::Item;
using prejoin::KeyType;
using prejoin::Result;
using prejoin::Status;
using prejoin::StoredItem;

namespace {

Status CreateTable(Database& database) {
  const prejoin::IndexSpecification inverted{
      .index_name = "GSI1",
      .key_schema = {{"GSI1-PK", KeyType::kHash}, {"GSI1-SK", KeyType::kRange}},
      .projection = prejoin::Projection{.type = prejoin::ProjectionType::kAll}};
  // Attributes are strings unless their definition says otherwise.
  PJ_RETURN_IF_ERROR(
      database.CreateTable({.table_name = "Education",
                            .key_schema = {{"PK", KeyType::kHash}, {"SK", KeyType::kRange}},
                            .attribute_definitions = {{"PK"}, {"SK"}, {"GSI1-PK"}, {"GSI1-SK"}},
                            .billing_mode = prejoin::BillingMode::kPayPerRequest,
                            .global_indexes = std::vector{inverted}}));
  return {};
}

Item Enrolment(const std::string& student, const std::string& course, const char* date,
               const char* grade) {
  return {{"PK", "STUDENT#" + student},
          {"SK", "COURSE#" + course},
          {"GSI1-PK", "COURSE#" + course},
          {"GSI1-SK", "STUDENT#" + student},
          {"EntityType", "ENROLLMENT"},
          {"EnrollmentDate", date},
          {"Grade", grade}};
}

Status Load(Database& database) {
  const std::vector<Item> items = {
      {{"PK", "STUDENT#S1"},
       {"SK", "METADATA"},
       {"EntityType", "STUDENT"},
       {"Name", "John Doe"},
       {"Email", "john@example.com"},
       {"YearLevel", 3}},
      {{"PK", "STUDENT#S2"},
       {"SK", "METADATA"},
       {"EntityType", "STUDENT"},
       {"Name", "Jane Smith"},
       {"Email", "jane@example.com"},
       {"YearLevel", 2}},
      {{"PK", "COURSE#C1"},
       {"SK", "METADATA"},
       {"EntityType", "COURSE"},
       {"Name", "Advanced Mathematics"},
       {"Professor", "Dr. Smith"},
       {"Credits", 3}},
      {{"PK", "COURSE#C2"},
       {"SK", "METADATA"},
       {"EntityType", "COURSE"},
       {"Name", "Physics 101"},
       {"Professor", "Dr. Johnson"},
       {"Credits", 4}},
      Enrolment("S1", "C1", "2024-03-31T10:00:00", "A"),
      Enrolment("S1", "C2", "2024-03-31T11:00:00", "B+"),
      Enrolment("S2", "C1", "2024-03-31T09:00:00", "A-"),
  };
  for (const Item& item : items) {
    PJ_RETURN_IF_ERROR(database.PutItem({.table_name = "Education", .item = item}));
  }
  return {};
}

std::string TextOf(const StoredItem& item, const char* attribute) {
  const auto value = item.Find(attribute);
  return value && value->string() ? *value->string() : "?";
}

Status PrintStudent(Database& database) {
  PJ_ASSIGN_OR_RETURN(const auto answer,
                      database.GetItem({.table_name = "Education",
                                        .key = {{"PK", "STUDENT#S1"}, {"SK", "METADATA"}}}));
  std::cout << "Student S1: " << (answer.item ? TextOf(*answer.item, "Name") : "nobody") << '\n';
  return {};
}

Status PrintCoursesOfStudent(Database& database) {
  // All pages, one after the other.
  prejoin::ItemRange courses(
      database,
      prejoin::QueryInput{.table_name = "Education",
                          .key_condition_expression = "PK = :student AND begins_with(SK, :course)",
                          .expression_attribute_values =
                              AttributeValues{{":student", "STUDENT#S1"}, {":course", "COURSE#"}}});
  std::cout << "Courses of S1:\n";
  for (const StoredItem& item : courses) {
    std::cout << "  " << TextOf(item, "SK") << " (" << TextOf(item, "Grade") << ")\n";
  }
  return courses.status();
}

Status PrintStudentsOfCourse(Database& database) {
  // A hyphen means minus in an expression, so the attribute needs a #name.
  PJ_ASSIGN_OR_RETURN(
      const auto answer,
      database.Query({.table_name = "Education",
                      .index_name = "GSI1",
                      .key_condition_expression = "#course = :course",
                      .expression_attribute_names = prejoin::AttributeNames{{"#course", "GSI1-PK"}},
                      .expression_attribute_values = AttributeValues{{":course", "COURSE#C1"}}}));
  std::cout << "Students of C1:\n";
  for (const StoredItem& item : answer.items) {
    std::cout << "  " << TextOf(item, "PK") << " (" << TextOf(item, "Grade") << ")\n";
  }
  return {};
}

// A second enrolment of the same student in the same course must fail.
Status EnrolAgain(Database& database) {
  const auto answer = database.PutItem({.table_name = "Education",
                                        .item = Enrolment("S1", "C1", "2024-04-01T08:00:00", "F"),
                                        .condition_expression = "attribute_not_exists(PK)"});
  if (!answer && answer.error().code == prejoin::ErrorCode::kConditionalCheckFailed) {
    std::cout << "Enrolling S1 in C1 again: refused\n";
    return {};
  }
  PJ_RETURN_IF_ERROR(answer);
  std::cout << "Enrolling S1 in C1 again: done, which is wrong\n";
  return {};
}

Status Run(const std::string& path) {
  PJ_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, Database::Open({.path = path}));
  PJ_RETURN_IF_ERROR(CreateTable(*database));
  PJ_RETURN_IF_ERROR(Load(*database));
  PJ_RETURN_IF_ERROR(PrintStudent(*database));
  PJ_RETURN_IF_ERROR(PrintCoursesOfStudent(*database));
  PJ_RETURN_IF_ERROR(PrintStudentsOfCourse(*database));
  return EnrolAgain(*database);
}

}  // namespace

int main(int argc, char** argv) {
  const Status status = Run(argc > 1 ? argv[1] : "");
  if (!status) {
    std::cerr << "students_and_courses: " << status.error().message << '\n';
    return 1;
  }
  return 0;
}
