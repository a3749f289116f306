// SPDX-License-Identifier: Apache-2.0

import Patience
import Synchronization

/// A plan of faults for everything that a kiosk depends on. The seed decides for each call whether it fails, and how,
/// so that a failure can be repeated.
///
/// ``FakeTransport`` and ``FaultyStorage`` ask the plan themselves. The test that moves the scanner, the keys and the
/// clock asks for these.
public final class FaultPlan: Sendable {
    public enum NetworkFault: String, Sendable, CaseIterable {
        /// The request does not leave.
        case beforeSending
        /// The peer handles the request, and its answer is lost.
        case afterSending
        /// The peer handles the request, and half of its answer comes.
        case cutReply
        /// The peer handles the request twice, and its second answer comes.
        case twice
        /// The peer handles the request, and its answer comes late.
        case delay
        /// A page of another server comes in place of an answer.
        case foreignPage
        /// A busy server refuses the request, and asks to wait.
        case busy
        /// No answer comes.
        case silence
    }

    public enum StoreFault: String, Sendable, CaseIterable {
        case unavailable, full
        /// The store makes the change, and reports a failure.
        case afterwards
    }

    public enum ScannerFault: String, Sendable, CaseIterable {
        /// The source ends for good.
        case ends
        /// The symbol is reported twice.
        case repeats
        /// A stranger's symbol comes first.
        case hostile
        /// The camera is unplugged and plugged in again.
        case unplugged
    }

    public enum KeypadFault: String, Sendable, CaseIterable {
        /// The keypad is unplugged and plugged in again.
        case unavailable
        /// The key comes as part of a burst.
        case burst
        /// The key is lost, and the keypad says so.
        case keysLost
    }

    public enum ClockFault: String, Sendable, CaseIterable {
        /// The time of day jumps.
        case forward, back
        /// Timers fire late.
        case late
    }

    private struct State {
        var random: SplitMix64
        var isOver = false
        var injected: [String] = []
    }

    public let seed: UInt64
    private let networkFaults: [NetworkFault]
    private let oneIn: UInt64
    private let state: Mutex<State>

    /// - Parameters:
    ///   - network: the possible faults of the network.
    ///   - oneIn: average number of calls per fault.
    public init(seed: UInt64, network: [NetworkFault] = NetworkFault.allCases, oneIn: UInt64 = 3) {
        self.seed = seed
        networkFaults = network
        self.oneIn = oneIn
        state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    /// The fault of a request.
    ///
    /// - Parameter path: names the request in ``injected``.
    public func network(_ path: String) -> NetworkFault? { choose(networkFaults, for: path) }

    /// The fault of a call of the store.
    public func store(_ call: String) -> StoreFault? { choose(StoreFault.allCases, for: call) }

    public func scanner() -> ScannerFault? { choose(ScannerFault.allCases, for: "scanner") }
    /// The fault of a key. These are rarer, because a session has many keys.
    public func keypad() -> KeypadFault? { choose(KeypadFault.allCases, for: "keypad", oneIn: 4 * oneIn) }
    /// The fault of the clock between two actions of a person. These are rarer, too.
    public func clock() -> ClockFault? { choose(ClockFault.allCases, for: "clock", oneIn: 4 * oneIn) }

    /// Ends all faults.
    public func stop() { state.withLock { $0.isOver = true } }

    /// The faults so far: a call and its fault each.
    public var injected: [String] { state.withLock { $0.injected } }

    private func choose<Fault: RawRepresentable<String> & Sendable>(
        _ faults: [Fault], for call: String, oneIn: UInt64? = nil
    ) -> Fault? {
        state.withLock { state in
            guard !state.isOver, !faults.isEmpty, state.random.next() % (oneIn ?? self.oneIn) == 0 else { return nil }
            let fault = faults[Int(state.random.next() % UInt64(faults.count))]
            state.injected.append("\(call) \(fault.rawValue)")
            return fault
        }
    }
}

extension FaultPlan: CustomStringConvertible {
    public var description: String { "seed \(seed), faults: \(injected.joined(separator: ", "))" }
}
