// SPDX-License-Identifier: Apache-2.0

import ConfinedProcess
import KioskPorts
import Scanning

/// The pipe to the parent, and the state last reported: only changes are sent.
struct ParentReport {
    /// A symbol that stays in view is reported again after this many frames.
    private static let repeatDistance: UInt64 = 10
    private static let statisticsInterval = Duration.seconds(1)

    private var parent = ParentPipe<ScannerMessage, ScannerCommand>()
    private var filter = RepeatFilter(distance: repeatDistance)
    private var statistics = ScannerStatistics()
    private var statisticsDue: Duration
    /// The source's camera; nil until its first frame: an opened camera may deliver nothing.
    private var camera: String?
    private var trouble: FrameSourceError?
    /// The controls that the parent knows to be taken from the camera's own regulation.
    private(set) var taken: [ControlSetting]
    private var passedOver: [String]?

    init(taken: [ControlSetting], at now: Duration) {
        self.taken = taken
        statisticsDue = now + ParentReport.statisticsInterval
    }

    /// The commands so far, after waiting for some within the limit.
    mutating func commands(within limit: Duration) throws(Departure) -> [ScannerCommand] {
        do throws(ParentLost) { return try parent.orders(within: limit) } catch { throw .parentLost(error) }
    }

    func send(_ message: ScannerMessage) throws(Departure) {
        do throws(ParentLost) { try parent.send(message) } catch { throw .parentLost(error) }
    }

    /// Reports a trouble that began, changed or ended.
    mutating func tell(trouble new: FrameSourceError?) throws(Departure) {
        guard new != trouble else { return }
        trouble = new
        try tellHealth()
    }

    /// Reports that the source delivers, with its first frame.
    mutating func tell(camera new: String) throws(Departure) {
        guard camera == nil else { return }
        (camera, trouble) = (new, nil)
        try tellHealth()
    }

    /// Reports what the camera's own regulation is to have back, if it has changed.
    mutating func tell(taken new: [ControlSetting]) throws(Departure) {
        guard new != taken else { return }
        taken = new
        try send(.taken(new))
    }

    /// Reports what was passed over, if it has changed.
    mutating func tell(passedOver new: [String]?) throws(Departure) {
        guard let new, new != passedOver else { return }
        passedOver = new
        try send(.passedOver(new))
    }

    /// Reports a frame: its symbols unless they were just reported, the advice and the preview.
    mutating func tell(_ work: FrameWork) throws(Departure) {
        statistics.frames += 1
        statistics.decoding += work.spent
        for symbol in work.symbols {
            statistics.symbols += 1
            if filter.admits(symbol, frame: statistics.frames) {
                try send(.symbol(symbol))
            } else {
                statistics.repeats += 1
            }
        }
        if let advice = work.advice { try send(.hint(advice)) }
        if let preview = work.preview { try send(.preview(preview)) }
    }

    /// Sets the source's own counts for the next statistics.
    mutating func setLosses(dropped: UInt64, damaged: UInt64, flawed: UInt64) {
        (statistics.dropped, statistics.damaged, statistics.flawed) = (dropped, damaged, flawed)
    }

    /// Reports the state after a pause. Each symbol in view is reported again.
    mutating func resume() throws(Departure) {
        filter.reset()
        try tellHealth()
    }

    mutating func sendStatistics(ifDueAt now: Duration) throws(Departure) {
        guard now >= statisticsDue else { return }
        statisticsDue = now + ParentReport.statisticsInterval
        try sendStatistics()
    }

    /// Reports the end of the source, after the last statistics.
    func tellEnd() throws(Departure) {
        try sendStatistics()
        try send(.health(.ended))
    }

    private func sendStatistics() throws(Departure) {
        do throws(ParentLost) { try parent.checkParent() } catch { throw .parentLost(error) }
        try send(.stats(statistics))
    }

    /// Reports the state of a process that is not paused, unless there is nothing to report yet.
    private func tellHealth() throws(Departure) {
        if let trouble { return try send(.health(.waiting(ScannerTrouble(trouble)))) }
        if let camera { try send(.health(.running(camera: camera))) }
    }
}
