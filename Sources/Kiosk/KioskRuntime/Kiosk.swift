// SPDX-License-Identifier: Apache-2.0

import KioskMachine
public import KioskPorts
public import Logging
public import LoginValues
public import MPinClient
import PersonalCards
import LinuxSystem

/// The kiosk: carries out the decisions of ``KioskMachine``.
///
/// It owns everything that the machine must not know: ports, timers, the steps under way, the typed digits and the
/// access code. All tasks are children of ``run()``. Waiting work is bounded: one step, the newest view, the newest
/// request to the camera, and a short list of jobs that the machine does not wait for.
public actor Kiosk {
    /// The events, for one consumer. A slow one gets the newest 256. Ends with ``run()``.
    public nonisolated let events: AsyncStream<KioskEvent>

    let eventSink: AsyncStream<KioskEvent>.Continuation
    let steps: any StepRunner
    /// Opens and seals personal cards; nil without a fleet key.
    let cards: FleetCards?
    var trust: TrustPolicy
    let keypad: any Keypad
    let screen: any KioskScreen
    let symbols: any SymbolSource
    let time: Timekeeper
    let isClockSet: @Sendable () -> Bool
    let observers: [any KioskObserver]
    let logger: Logger

    var machine: KioskMachine
    /// Services in the order of their numbers.
    var services: [TypedService]
    /// The file of the session under way, or of the next one.
    var file = SessionFile()
    /// Doors in the order of their numbers.
    let localLogins: [LocalLogin]
    /// The beginning of the session under way, or of the last one.
    var sessionStart = Duration.zero
    var step: StepUnderWay?
    var jobs = JobQueue()
    /// Reads the settings again, as soon as nobody is served.
    var adoption: (@Sendable () async -> KioskSettings?)?
    /// Sets up and resets the kiosk; nil when neither is possible.
    let provisioning: (any ProvisioningService)?
    /// The installed profile, until the person has read about it.
    var appliedProfile: AppliedProfile?
    /// Whether ``run()`` ended because the kiosk must restart.
    public internal(set) var mustRestart = false
    /// The condition last reported to the observers.
    var condition: KioskCondition?
    var timers = Timers()
    var newestView: KioskView?
    /// The newest view, until the screen shows it.
    var viewToShow = Newest<KioskView>()
    var cameraOrders = Newest<CameraOrders>()
    /// The cameras and sizes that the log has a line for.
    var passedOver: [String] = []
    /// The waits that services asked for; the newest 16 are kept.
    let serviceWaits = AsyncStream.makeStream(
        of: (wait: Duration?, session: SessionNumber).self, bufferingPolicy: .bufferingNewest(16))
    var keypadHasEnded = false
    let nothingCanCome = Wakeup()

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: checks codes before anything leaves the kiosk; without an entry the kiosk only reports that.
    ///   - features: what the kiosk offers, and the state of its store.
    ///   - clock: for every time of ``KioskTiming``, except the end of ``run()``, which real time limits.
    ///   - isClockSet: whether the machine's time of day is plausible. Until then the kiosk begins nothing, and shows
    ///     this.
    ///   - observers: get the kiosk's condition.
    public init(
        sdk: MPin, trust: TrustPolicy, keypad: any Keypad, screen: any KioskScreen, symbols: any SymbolSource,
        features: KioskFeatures = KioskFeatures(), clock: some Clock<Duration> = ContinuousClock(),
        isClockSet: @escaping @Sendable () -> Bool = { true }, observers: [any KioskObserver] = [], logger: Logger
    ) {
        self.init(
            steps: MPinStepRunner(
                sdk: sdk, logger: logger, applications: features.signing?.application, cards: features.cards),
            trust: trust, keypad: keypad, screen: screen, symbols: symbols, features: features, clock: clock,
            isClockSet: isClockSet, observers: observers, logger: logger)
    }

    init(
        steps: some StepRunner, trust: TrustPolicy, keypad: any Keypad, screen: any KioskScreen,
        symbols: any SymbolSource, features: KioskFeatures, clock: some Clock<Duration>,
        isClockSet: @escaping @Sendable () -> Bool = { true }, observers: [any KioskObserver] = [], logger: Logger
    ) {
        self.steps = DoorStepRunner(steps: steps, logger: logger)
        self.trust = trust
        self.keypad = keypad
        self.screen = screen
        self.symbols = symbols
        self.observers = observers
        self.logger = logger
        time = Timekeeper(clock)
        self.isClockSet = isClockSet
        services = TypedService.all(of: trust)
        (cards, provisioning, localLogins) = (features.cards, features.provisioning, features.localLogins)
        machine = KioskMachine(
            trustsAnything: !trust.entries.isEmpty, services: services.map(\.name),
            doors: localLogins.map { DoorChoice(name: $0.name, domain: $0.domain) }, tasks: features.tasks,
            templates: features.signing?.templates ?? [], policy: features.policy,
            lostIdentities: features.lostIdentities, offersCards: cards != nil, ownNumber: provisioning?.ownNumber,
            resetKeys: provisioning == nil ? [] : features.resetKeys)
        (events, eventSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    /// Runs until the task is cancelled, or until the keypad has ended and no session is under way: without a key
    /// nobody can consent to anything. Before it returns, it ends a session under way: it informs the server, and wipes
    /// everything typed. Call it once.
    public func run() async {
        record(.started)
        carryOut(machine.start())
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.readKeys() }
            group.addTask { await self.readSymbols() }
            group.addTask { await self.waitForTheTime() }
            group.addTask { await self.runTimers() }
            group.addTask { await self.runJobs() }
            group.addTask { await self.runScreen() }
            group.addTask { await self.runCamera() }
            group.addTask { await self.readServiceWaits() }
            group.addTask { await self.readProfileFiles() }
            group.addTask {
                await self.nothingCanCome.wait()
                return true
            }
            for await isOver in group where isOver { break }
            group.cancelAll()
        }
        await shutDown()
    }

    private func shutDown() async {
        carryOut(machine.stop())
        notifyObservers()
        let jobs = self.jobs.takeAll()
        // The caller's task is cancelled now, and requests of a cancelled task fail at once. So this task is not
        // cancelled but awaited. The limit is real time, because the kiosk's clock may stand still and must not keep
        // the process from ending.
        let farewell = Timekeeper(ContinuousClock())
        await Task { await farewell.limit(KioskTiming.abort) { await self.perform(jobs) } }.value
        file.close()
        await screen.show(machine.view)
        record(.stopped)
        eventSink.finish()
    }

    /// Reads the keypad until it ends.
    private func readKeys() async -> Bool {
        for await report in keypad.reports() { reported(report) }
        keypadHasEnded = true
        stopWhenNothingCanCome()
        return false
    }

    /// Reads the symbol source until it ends.
    private func readSymbols() async -> Bool {
        for await report in symbols.reports() { reported(report) }
        return false
    }

    private func readServiceWaits() async -> Bool {
        for await (wait, session) in serviceWaits.stream {
            carryOut(machine.serviceIsBusy(for: wait, session: session))
        }
        return false
    }

    func stopWhenNothingCanCome() {
        if keypadHasEnded, machine.isIdle { nothingCanCome.signal() }
    }

    func record(_ event: KioskEvent) {
        eventSink.yield(event)
        for observer in observers { observer.happened(event) }
        let line = event.logLine
        logger.log(level: line.level, line.message, metadata: line.metadata)
    }
}
