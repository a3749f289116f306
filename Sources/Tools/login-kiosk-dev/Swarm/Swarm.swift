// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Many kiosks and browsers at one backend: all are registered first, then people come according to the plan.
///
/// At most as many logins are under way as there are kiosks; a person who finds no free kiosk is counted and leaves. A
/// kiosk at which a wrong PIN was typed is not used again, so that its count can be compared at the end.
struct Swarm: Sendable {
    struct Settings: Sendable {
        var backend: String
        var kiosks: Int
        /// The number of browsers; with 0 the devices log themselves in.
        var browsers: Int
        var rate: Double
        var seconds: Double
        /// The time that a person at a page takes until the last digit.
        var typing = Duration.seconds(2)
        /// Whether people type the code that stands beside the picture, instead of holding the picture up.
        var typesCodes = false
        var wrongShare: Double
        var seed: UInt64
        var authorityFile: String?
        var operatorPasswordFile: String?
    }

    private static let registrationLimit = Duration.seconds(120)
    private static let registrationsAtOnce = 16
    /// Attempts to read the counted wrong PINs: a database may still be starting.
    private static let countTries = 8

    let settings: Settings
    let plan: SwarmPlan
    private let tally = SwarmTally()
    private let limits = TimeLimits()
    private let target: SwarmTarget
    private let operatorClient: SwarmOperator?

    /// - Throws: the fault of the address.
    init(_ settings: Settings) throws {
        self.settings = settings
        plan = SwarmPlan(
            rate: settings.rate, seconds: settings.seconds, wrongShare: settings.wrongShare, seed: settings.seed)
        let target = try SwarmTarget(settings.backend, authorityFile: settings.authorityFile, tally: tally)
        self.target = target
        operatorClient = try settings.operatorPasswordFile.map { try SwarmOperator(target, passwordFile: $0) }
    }

    /// - Parameter note: called with each stage of the run.
    /// - Throws: when not every kiosk could be registered: `MPinError`, `BenchmarkError`, `CurlSetupError`.
    func run(_ note: @Sendable (String) -> Void) async throws -> SwarmReport {
        async let _ = limits.watch()
        let devices = try await register()
        let pages = try (0..<settings.browsers).map {
            try SwarmPage(target, number: devices.count + $0, typesCodes: settings.typesCodes)
        }
        note("\(devices.count) kiosks are registered, the load begins")
        let (begins, start) = (Date().timeIntervalSince1970, ContinuousClock.now)
        await load(devices, pages, since: start)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        note("the load has ended")
        let (counts, notCompared) = await counts()
        return SwarmReport(
            settings: settings, begins: begins, seconds: seconds, planned: plan.logins.count, tally: tally.now,
            counts: counts, notCompared: notCompared)
    }

    private func register() async throws -> [LoginDevice] {
        // Part of all names of this run: the backend may have identities of earlier runs.
        let run = String(UInt32.random(in: .min ... .max), radix: 16)
        return try await withThrowingTaskGroup(of: (Int, LoginDevice).self) { group in
            var devices: [Int: LoginDevice] = [:]
            for number in 0..<settings.kiosks {
                if number >= Self.registrationsAtOnce, let (done, device) = try await group.next() {
                    devices[done] = device
                }
                group.addTask { (number, try await register("swarm-\(run)-\(number)@example.com", number)) }
            }
            for try await (done, device) in group { devices[done] = device }
            return devices.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private func register(_ user: String, _ number: Int) async throws -> LoginDevice {
        let start = ContinuousClock.now
        let device = try await limits.within(Self.registrationLimit) {
            try await target.device(user, number: number, operatorClient)
        }
        guard let device else {
            throw BenchmarkError.program("registration of \(user): no end in \(Self.registrationLimit)")
        }
        tally.addRegistration(seconds: (ContinuousClock.now - start) / .seconds(1))
        return device
    }

    private func load(_ devices: [LoginDevice], _ pages: [SwarmPage], since start: ContinuousClock.Instant) async {
        let pool = SwarmPool(kiosks: devices.count, pages: pages.count)
        await withDiscardingTaskGroup { group in
            for login in plan.logins {
                let begins = start + .seconds(login.begins)
                // People who come at a thousandth of a second come together: one sleep for all of them.
                if begins > .now + .milliseconds(1) {
                    guard (try? await Task.sleep(until: begins)) != nil else { return }
                }
                guard let taken = pool.take() else {
                    tally.addNotBegun()
                    continue
                }
                group.addTask {
                    let visit = SwarmVisit(
                        device: devices[taken.kiosk], page: taken.page.map { pages[$0] },
                        typesWrongPIN: login.typesWrongPIN, typing: settings.typing, start: start)
                    let done = await visit.run(within: limits)
                    tally.add(done)
                    // After an answer that never came the device may still be busy.
                    pool.give(taken, kioskToo: !done.typedWrongPIN && done.told != .nothing)
                }
            }
        }
    }

    /// Returns the counted wrong PINs, or the reason why they cannot be read; neither without an operator.
    private func counts() async -> (SwarmCounts?, String?) {
        guard let operatorClient else { return (nil, nil) }
        var problem = ""
        for _ in 0..<Self.countTries {
            do { return (SwarmCounts(tally.now.logins, list: try await operatorClient.wrongPINs()), nil) } catch {
                problem = "\(error)"
            }
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { break }
        }
        return (nil, problem)
    }
}

/// Kiosks and browsers that are free: the one that waited longest is the next.
final class SwarmPool: Sendable {
    struct Taken: Sendable, Equatable {
        var kiosk: Int
        var page: Int?
    }

    private struct State {
        var kiosks: ArraySlice<Int>
        var pages: ArraySlice<Int>
    }

    private let hasPages: Bool
    private let state: Mutex<State>

    init(kiosks: Int, pages: Int) {
        hasPages = pages > 0
        state = Mutex(State(kiosks: ArraySlice(0..<kiosks), pages: ArraySlice(0..<pages)))
    }

    /// - Returns: nil when none is free.
    func take() -> Taken? {
        state.withLock { state in
            guard !state.kiosks.isEmpty, !hasPages || !state.pages.isEmpty else { return nil }
            return Taken(kiosk: state.kiosks.removeFirst(), page: state.pages.popFirst())
        }
    }

    /// - Parameter kioskToo: whether the kiosk is used again.
    func give(_ taken: Taken, kioskToo: Bool) {
        state.withLock { state in
            if kioskToo { state.kiosks.append(taken.kiosk) }
            if let page = taken.page { state.pages.append(page) }
        }
    }
}
