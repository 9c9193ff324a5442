// Shapes and text of a self-contained SVG: no scripts, fonts or pictures from elsewhere.
#ifndef PREJOIN_MODEL_CHART_SVG_WRITER_H_
#define PREJOIN_MODEL_CHART_SVG_WRITER_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::model {

// Space around the picture and between a cell's border and its text.
inline constexpr int kSvgMargin = 16;
inline constexpr int kSvgPadding = 6;
inline constexpr int kSvgLineHeight = 16;

// Columns of a fixed-width font; characters of the east take two.
int SvgColumns(std::string_view text);
// Pixels of a line of 12-pixel text, without padding.
int SvgTextWidth(std::string_view text);
// Cut behind so many characters, with an ellipsis.
std::string SvgShortened(const std::string& text, int columns_max);
// Lines of at most so many columns, broken at spaces where there are any.
std::vector<std::string> SvgWrapped(const std::string& text, int columns_max);

struct SvgBox {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

enum class SvgTextStyle { kPlain, kBold, kTitle, kSmall };
enum class SvgStroke { kSolid, kDashed };

// Collects elements and knows how large the picture is. Single thread.
class SvgWriter {
 public:
  void Rect(const SvgBox& box, std::string_view fill);
  // Without a border: hides the lines under a label.
  void Backdrop(const SvgBox& box);
  void Line(int x1, int y1, int x2, int y2, SvgStroke stroke = SvgStroke::kSolid);
  // (x, y) is the left end of the base line. `full` becomes the tooltip, for text that was
  // shortened.
  void Text(int x, int y, std::string_view text, SvgTextStyle style = SvgTextStyle::kPlain,
            std::string_view full = {});
  // Everything drawn until EndGroup belongs to `id`, such as "entity-Order"; a program can find it.
  void BeginGroup(std::string_view kind, std::string_view name);
  void EndGroup();

  std::string Finish(std::string_view title) const;

 private:
  void Cover(int right, int bottom);

  std::string body_;
  int width_ = 400;
  int height_ = 40;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHART_SVG_WRITER_H_
