// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Logging
import LoginValues
import MPinClient
import Waiting

// The child tasks of `run()`: each waits for its wake-up, takes what is newest, and does it. They end when cancelled.
extension Kiosk {
    func runTimers() async -> Bool {
        let interval = watches.compactMap(\.interval).min()
        var turn = interval.map { time.elapsed() + $0 }
        while !Task.isCancelled {
            let next = (deadlines.values.map(\.elapsed) + [turn].compactMap(\.self)).min()
            let (time, wakeup) = (time, timersWakeup)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await wakeup.wait() }
                if let next { group.addTask { try? await time.sleepUntil(next) } }
                await group.next()
                group.cancelAll()
            }
            guard !Task.isCancelled else { break }
            fireDueTimers()
            if let due = turn, let interval, due <= time.elapsed() {
                for watch in watches { watch.turned() }
                turn = time.elapsed() + interval
            }
        }
        return false
    }

    /// Tells how the kiosk is, if that is news.
    func tellWatch() {
        guard standing != machine.standing else { return }
        standing = machine.standing
        for watch in watches { watch.stands(machine.standing) }
    }

    /// The earliest first, one at a time: what one starts or stops is respected by the next.
    private func fireDueTimers() {
        let now = time.elapsed()
        while let (timer, deadline) = deadlines.min(by: { $0.value.elapsed < $1.value.elapsed }),
            deadline.elapsed <= now
        {
            deadlines[timer] = nil
            carryOut(machine.timerFired(timer, session: deadline.session))
        }
    }

    /// On a machine without a battery-backed clock the time comes with the network, some seconds after the kiosk or never.
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
            if let view = newestView, !viewIsShown {
                viewIsShown = true
                await screen.show(view)
                tellWatch()
            } else {
                await screenWakeup.wait()
            }
        }
        return false
    }

    func runCamera() async -> Bool {
        while !Task.isCancelled {
            if let isWanted = cameraIsWanted {
                cameraIsWanted = nil
                if isWanted { await symbols.resume() } else { await symbols.pause() }
            } else if let mayRest = cameraMayRest {
                cameraMayRest = nil
                await symbols.mayRest(mayRest)
            } else {
                await cameraWakeup.wait()
            }
        }
        return false
    }

    func runJobs() async -> Bool {
        while !Task.isCancelled {
            guard !jobs.isEmpty else {
                await jobsWakeup.wait()
                continue
            }
            let job = jobs.removeFirst()
            switch job {
            case .step(let underWay): await perform(underWay)
            case .adopt(let read): await perform(adoption: read)
            default: await time.limit(KioskTiming.abort) { await self.perform([job]) }
            }
        }
        return false
    }

    /// Jobs that nobody waits for.
    func perform(_ jobs: [Job]) async {
        for job in jobs {
            switch job {
            case .step, .adopt: break
            case .abort(let accessCode): await steps.abort(accessCode)
            case .forgetShares(let identity): await steps.forgetShares(of: identity)
            case .delete(let identity): await steps.delete(identity)
            }
        }
    }

    private func perform(_ underWay: StepUnderWay) async {
        // Cancelled before its turn came.
        guard step?.cancellation === underWay.cancellation else { return }
        let answer = await withTaskGroup(of: StepAnswer?.self) { group in
            group.addTask {
                let (waits, session) = (self.serviceWaits.continuation, underWay.session)
                return await BusyServer.$observer.withValue(BusyServer { waits.yield(($0, session)) }) {
                    await self.answer(to: underWay.step, session: session)
                }
            }
            group.addTask {
                await underWay.cancellation.wait()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let answer, !Task.isCancelled else { return }
        if step?.cancellation === underWay.cancellation { step = nil }
        answered(answer, session: underWay.session)
    }

    private func answer(to step: KioskStep, session number: SessionNumber) async -> StepAnswer? {
        do throws(KioskFailure) {
            if case .logout(let identity) = step {
                try await steps.logout(identity)
                return .loggedOut
            }
            guard let request = secrets.request(of: number) else { return nil }
            switch step {
            case .readService:
                return .serviceFound(try await steps.readService(at: request.baseURL))
            case .openBackend:
                guard let offer, offer.session == number else { return nil }
                let session = try await steps.openBackend(offer.offer, accessCode: request.accessCode)
                if request.isTyped, let accessCode = request.accessCode { try await steps.checkTyped(accessCode) }
                return .backendOpened(session)
            case .startRegistration(let userID):
                return .registrationStarted(
                    try await steps.startRegistration(
                        userID: userID, accessCode: try await codeForRegistration(request)))
            case .restartRegistration(let identity):
                return .registrationStarted(
                    try await steps.restartRegistration(
                        of: identity, accessCode: try await codeForRegistration(request)))
            case .confirmRegistration(let identity):
                try await steps.confirmRegistration(of: identity)
                return .registrationConfirmed
            case .finishRegistration(let identity):
                guard let pin = secrets.takePIN() else { return nil }
                return .registrationFinished(try await steps.finishRegistration(of: identity, pin: pin))
            case .startAuthentication(let identity, let errand):
                guard let accessCode = request.accessCode else {
                    return try await start(errand, identity, request, session: number)
                }
                try await steps.startAuthentication(of: identity, accessCode: accessCode)
                return .authenticationStarted
            case .finishAuthentication(let identity, let errand):
                guard let accessCode = request.accessCode else {
                    return try await finish(errand, identity, request, session: number)
                }
                guard let pin = secrets.takePIN() else { return nil }
                try await steps.finishAuthentication(of: identity, pin: pin, accessCode: accessCode)
                return .authenticated(canLogout: await steps.canLogout(identity))
            case .deleteIdentity(let identity):
                try await steps.deleteForGood(identity)
                return .identityDeleted
            case .startVerification, .finishVerification, .startRegistrationWithCode: return try await enrol(step)
            case .logout: return nil
            case .readSigner, .startSigningKey, .finishSigningKey, .prepareDocument, .sign:
                return try await answer(toSigning: step, at: request.baseURL)
            }
        } catch {
            return .failed(error)
        }
    }
}
