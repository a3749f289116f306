// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
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
    private let wanted = Mutex<Int?>(nil)
    private let news = Waker.required()

    /// Readable when an order has come.
    var number: Int32 { news.descriptor }

    var current: Order { order.withLock { $0 } }

    /// The wanted exposure, in stops relative to the choice of the camera's own regulation; nil for the regulation. It
    /// is read with each frame.
    var exposureShift: Int? {
        get { wanted.withLock { $0 } }
        set { wanted.withLock { $0 = newValue } }
    }

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
