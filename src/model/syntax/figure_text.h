// Numbers as people write them in reports.
#ifndef PREJOIN_MODEL_SYNTAX_FIGURE_TEXT_H_
#define PREJOIN_MODEL_SYNTAX_FIGURE_TEXT_H_

#include <string>
#include <string_view>

namespace prejoin::model {

// 0.5, 115.7, 19,840, under 0.001: never an exponent, at most one decimal from a hundred up, else four digits.
std::string FigureText(double number);

// 0.47, 421.30, 9,909; what is less than a cent says so.
std::string MoneyText(double money);
// The same with the currency: $0.47, under $0.01.
std::string MoneyText(std::string_view currency, double money);
// A figure that was derived, in a sentence: 46, 4.9, 0.12, 19,840. No more digits than are known.
std::string RoughText(double number);
// 2%, 0.4%, 115%
std::string PercentText(double share);

// 85 B, 18.1 KB, 4.5 GB
std::string BytesText(double bytes);

// As a model file has it: 40/s, 1/min, 40000/month.
std::string RateText(double per_second);

// As a model file has it: without commas and without an exponent.
std::string PlainFigure(double number);

// "1 request", "2 requests", "0.5 read units". The plural is the singular and an s.
std::string Counted(double number, std::string_view singular);
// The same of a derived figure: "46 rows".
std::string CountedRoughly(double number, std::string_view singular);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_FIGURE_TEXT_H_
