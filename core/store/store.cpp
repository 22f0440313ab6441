#include "store/store.h"

namespace orlop {

Result<FeedEnd> Transaction::feed_end() {
  FeedEnd end;
  ORLOP_CHECK(events({.order = EventRange::Order::newest_first, .limit = 1}, [&end](const Event& event) {
    end = {event.sequence, event.at};
    return false;
  }));
  return end;
}

}  // namespace orlop
