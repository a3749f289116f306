// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// Varies the exposure of an open camera, and gives it back to the camera's own regulation.
///
/// The controls are noted before the first one is set, and stay noted until the camera has taken them back.
struct ExposureHelp: Sendable {
    /// The exposure is returned to the camera after this time, in spite of further requests.
    static let longest = Duration.seconds(20)
    /// A camera that refuses this number of times is left alone.
    static let maximumRefusals = 3
    /// The time between attempts to restore the controls.
    static let pause = Duration.seconds(1)
    /// Attempts in a row, where a camera is closed.
    static let closingAttempts = 3

    private let controls: ExposureControls
    private var phase = Phase.regulated
    /// The controls to give back, in order; empty while the camera regulates its exposure.
    private(set) var taken: [ControlSetting] = []
    private var lastAttempt: Duration?
    private var refusals = 0

    private enum Phase {
        case regulated
        case varied(ExposureReading, stops: Int, since: Duration)
        /// The exposure is not varied until the regulation is wanted again.
        case over
    }

    init(_ controls: ExposureControls) { self.controls = controls }

    /// - Parameter stops: the wanted light relative to the regulation's choice; nil for the regulation.
    mutating func shift(by stops: Int?, at now: Duration) {
        guard let stops else {
            if case .regulated = phase {} else { (phase, lastAttempt) = (.regulated, nil) }
            return giveBack(at: now)
        }
        switch phase {
        case .regulated:
            giveBack(at: now)
            guard taken.isEmpty, refusals < ExposureHelp.maximumRefusals else { return }
            begin(stops, at: now)
        case .varied(_, _, let since) where now - since >= ExposureHelp.longest: end(at: now)
        case .varied(let reading, let current, let since):
            guard current != stops else { return }
            guard apply(reading.settings(for: stops)) else { return end(at: now) }
            phase = .varied(reading, stops: stops, since: since)
        case .over: giveBack(at: now)
        }
    }

    /// Takes over controls that an earlier stream of the same camera could not give back.
    mutating func takeBack(_ owed: [ControlSetting], at now: Duration) {
        taken = owed
        giveBack(at: now)
    }

    /// Returns the controls to the camera's own regulation.
    ///
    /// - Returns: the controls that the camera did not take back.
    mutating func close() -> [ControlSetting] {
        for _ in 0..<ExposureHelp.closingAttempts where !taken.isEmpty { handBack() }
        return taken
    }

    private mutating func begin(_ stops: Int, at now: Duration) {
        let reading = controls.read()
        guard reading.isVariable else {
            phase = .over
            return
        }
        taken = reading.handBack
        guard apply(reading.takeover + reading.settings(for: stops)) else { return end(at: now) }
        phase = .varied(reading, stops: stops, since: now)
    }

    /// - Returns: whether the camera took all of them.
    private mutating func apply(_ settings: [ControlSetting]) -> Bool {
        do throws(SystemFailure) {
            for setting in settings { try controls.set(setting) }
            return true
        } catch {
            refusals += 1
            return false
        }
    }

    private mutating func end(at now: Duration) {
        (phase, lastAttempt) = (.over, nil)
        giveBack(at: now)
    }

    /// Tries once a second.
    private mutating func giveBack(at now: Duration) {
        guard !taken.isEmpty else { return }
        if let lastAttempt, now - lastAttempt < ExposureHelp.pause { return }
        lastAttempt = now
        handBack()
    }

    /// Sets each control in order: once the regulation is on, its controls are refused.
    private mutating func handBack() {
        taken = taken.filter { setting in
            let isSet = (try? controls.set(setting)) != nil
            switch setting.kind {
            case .chosenAgain: return false
            case .lasting where isSet: return false
            // A camera may accept a value without using it, or refuse the value that it already has.
            case .lasting, .regulation: return controls.value(of: setting.id).map { $0 != setting.value } ?? !isSet
            }
        }
    }
}
