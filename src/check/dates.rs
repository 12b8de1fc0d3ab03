//! The form of the dates in a file.

use std::sync::{Arc, OnceLock};

use crate::import::games;
use crate::notation::{DATE_TAGS, DateOrders, english_tag};
use crate::pdn::Parsed;

/// The first bytes of a file and, once a date with two readings is met, the order of day and month in the dates there.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileDates(Arc<Lazy>);

#[derive(Debug, Default)]
struct Lazy {
    head: Arc<[u8]>,
    orders: OnceLock<DateOrders>,
}

impl FileDates {
    pub(super) fn of(head: Arc<[u8]>) -> Self {
        Self(Arc::new(Lazy { head, orders: OnceLock::new() }))
    }

    /// Returns the orders of the dates.
    pub(crate) fn orders(&self) -> &DateOrders {
        self.0.orders.get_or_init(|| {
            let mut orders = DateOrders::default();
            for tree in games(&self.0.head).map(Parsed::into_tree) {
                let event = tree.tag("Event");
                let is_date = |name: &str| DATE_TAGS.contains(&english_tag(name).unwrap_or(name));
                tree.tags().iter().filter(|tag| is_date(tag.name())).for_each(|tag| orders.add(event, tag.value()));
            }
            orders
        })
    }
}
