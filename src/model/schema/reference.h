// A name that stands for a declaration elsewhere in the model, and where that declaration is.
#ifndef PREJOIN_MODEL_SCHEMA_REFERENCE_H_
#define PREJOIN_MODEL_SCHEMA_REFERENCE_H_

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "model/syntax/diagnostic.h"

namespace prejoin::model {

// A name and where it was written.
struct Name {
  std::string text;
  SourceSpan at;
  friend bool operator==(const Name& a, const Name& b) { return a.text == b.text; }
};

// Names a T (an entity, a relationship, a write) of the same model. The readers write it down, model/bind looks it up, and from then on
// Model::At gives the T. It keeps a place and no pointer, so that a copy of the model needs no repair (docs/adr/0037-bound-model.md).
// Names nothing where nothing was written: the `via` of a section without one.
template <class T>
class Reference : public Name {
 public:
  Reference() = default;
  // To a declaration at hand.
  Reference(const T& target) : Name{target.name.text, target.name.at}, place_(target.place) {}
  // A name that nobody has looked up yet: for the readers of a model file, which model/bind follows.
  static Reference Written(Name name) {
    Reference reference;
    static_cast<Name&>(reference) = std::move(name);
    return reference;
  }

  bool given() const { return !text.empty(); }
  std::size_t place() const { return place_; }
  // For model/bind.
  void Bind(const T& target) { place_ = target.place; }

 private:
  std::size_t place_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_REFERENCE_H_
