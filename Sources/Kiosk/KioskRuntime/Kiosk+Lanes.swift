// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Logging
import LoginValues
import MPinClient
import LinuxSystem

// The child tasks of `run()`: each waits for its wake-up, takes the newest value, and handles it. They end when
// cancelled.
extension Kiosk {
    func runTimers() async -> Bool {
        let interval = observers.compactMap(\.interval).min()
        var turn = interval.map { time.elapsed() + $0 }
        while !Task.isCancelled {
            await timers.wait(until: [timers.next, turn].compactMap(\.self).min(), by: time)
            guard !Task.isCancelled else { break }
            fireDueTimers()
            if let due = turn, let interval, due <= time.elapsed() {
                for observer in observers { observer.turned() }
                turn = time.elapsed() + interval
            }
        }
        return false
    }

    /// Reports a changed condition.
    func notifyObservers() {
        guard condition != machine.condition else { return }
        condition = machine.condition
        for observer in observers { observer.changed(machine.condition) }
    }

    /// Fires due timers, the earliest first, one at a time: each may start or stop others.
    private func fireDueTimers() {
        let now = time.elapsed()
        while let due = timers.takeDue(at: now) {
            machine.timeIs(now)
            carryOut(machine.timerFired(due.timer, session: due.session))
        }
    }

    /// Without a battery-backed clock the time comes with the network, some seconds after the kiosk or never.
    func waitForTheTime() async -> Bool {
        guard !isClockSet() else { return false }
        logger.warning("waiting for the time: the clock is before this program was made")
        machine.clockChanged(isSet: false)
        carryOut([])
        while !isClockSet() {
            guard (try? await time.sleep(.seconds(1))) != nil else { return false }
        }
        logger.notice("the clock is set")
        machine.clockChanged(isSet: true)
        carryOut([])
        return false
    }

    func runScreen() async -> Bool {
        while !Task.isCancelled {
            guard let view = viewToShow.take() else {
                await viewToShow.wait()
                continue
            }
            await screen.show(view)
            notifyObservers()
        }
        return false
    }

    func runCamera() async -> Bool {
        while !Task.isCancelled {
            guard let orders = cameraOrders.take() else {
                await cameraOrders.wait()
                continue
            }
            if let isWanted = orders.isWanted {
                if isWanted { await symbols.resume() } else { await symbols.pause() }
            }
            if let mayRest = orders.mayRest { await symbols.mayRest(mayRest) }
        }
        return false
    }

    func runJobs() async -> Bool {
        while !Task.isCancelled {
            guard let job = jobs.takeFirst() else {
                await jobs.wait()
                continue
            }
            switch job {
            case .step(let underWay): await perform(underWay)
            case .adopt(let read): await perform(adoption: read)
            case .applyProfile(let text): await perform(profile: text)
            case .reset: await performReset()
            default: await time.limit(KioskTiming.abort) { await self.perform([job]) }
            }
        }
        return false
    }

    /// Performs jobs that the machine does not wait for.
    func perform(_ jobs: [Job]) async {
        for job in jobs {
            switch job {
            case .step, .adopt, .applyProfile, .reset: break
            case .abort(let session): await steps.abort(session)
            case .forgetShares(let identity): await steps.forgetShares(of: identity)
            case .delete(let identity): await steps.delete(identity)
            case .dismissGuests: await steps.dismissGuests()
            case .forgetTries(let key): await steps.forgetTries(of: key)
            }
        }
    }

    private func perform(_ underWay: StepUnderWay) async {
        // It was cancelled before it began.
        guard step?.cancellation === underWay.cancellation else { return }
        let result = await withTaskGroup(of: Result<StepAnswer, KioskFailure>?.self) { group in
            group.addTask { await self.result(of: underWay) }
            group.addTask {
                await underWay.cancellation.wait()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let result, !Task.isCancelled else { return }
        if step?.cancellation === underWay.cancellation { step = nil }
        stepEnded(result, session: underWay.session)
    }

    /// Runs a step, and reports the waits that its service asks for.
    private nonisolated func result(of underWay: StepUnderWay) async -> Result<StepAnswer, KioskFailure> {
        let busyServer = BusyServer { [waits = serviceWaits.continuation] in waits.yield(($0, underWay.session)) }
        return await BusyServer.$observer.withValue(busyServer) {
            do throws(KioskFailure) {
                return .success(try await steps.run(underWay.step, in: underWay.file))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// The newest orders for the camera; nil where there is no new one.
struct CameraOrders: Sendable {
    var isWanted: Bool?
    var mayRest: Bool?
}
