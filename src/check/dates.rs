//! The form of the dates in a file.

use std::sync::{Arc, OnceLock};

use crate::import::games;
use crate::notation::{DATE_TAGS, DateOrder, DateOrders, english_tag};
use crate::pdn::Parsed;

/// The order of day and month that is given for all dates, or else the first bytes of a file and, once a date with two readings
/// is met, the orders in the dates there.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileDates(Arc<Lazy>);

#[derive(Debug, Default)]
struct Lazy {
    given: Option<DateOrder>,
    head: Arc<[u8]>,
    orders: OnceLock<DateOrders>,
}

impl FileDates {
    /// Returns dates of the same order in all files, if there is one.
    pub(super) fn given(order: Option<DateOrder>) -> Self {
        Self(Arc::new(Lazy { given: order, ..Lazy::default() }))
    }

    /// Returns the dates of a file that begins with these bytes.
    pub(super) fn for_file(&self, head: Arc<[u8]>) -> Self {
        Self(Arc::new(Lazy { given: self.order(), head, orders: OnceLock::new() }))
    }

    /// Returns the order that is given for all dates.
    pub(super) fn order(&self) -> Option<DateOrder> {
        self.0.given
    }

    /// Returns the orders of the dates.
    pub(crate) fn orders(&self) -> &DateOrders {
        self.0.orders.get_or_init(|| {
            let mut orders = DateOrders::of(self.0.given);
            if self.0.given.is_some() {
                return orders;
            }
            for tree in games(&self.0.head).map(Parsed::into_tree) {
                let event = tree.tag("Event");
                let is_date = |name: &str| DATE_TAGS.contains(&english_tag(name).unwrap_or(name));
                tree.tags().iter().filter(|tag| is_date(tag.name())).for_each(|tag| orders.add(event, tag.value()));
            }
            orders
        })
    }
}
