// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The consumer's orders to the thread that reads a camera.
final class CameraOrders: Sendable {
    enum Order: Sendable, Equatable {
        case film
        /// The camera is closed: a closed camera cannot film a keypad.
        case rest
        /// The thread ends.
        case leave
    }

    private let order = Mutex(Order.film)
    private let news = Signal()

    /// Readable when an order has come.
    var number: Int32 { news.number }

    var current: Order { order.withLock { $0 } }

    func give(_ new: Order) {
        order.withLock { $0 = new }
        news.raise()
    }

    /// The latest order; a wait on `number` waits for the next one from here on.
    func heard() -> Order {
        news.lower()
        return current
    }
}
