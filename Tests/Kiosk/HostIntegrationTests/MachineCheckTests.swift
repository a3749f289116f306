// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import HostIntegration

@Suite("The doctor's checks of the machine, on trees of files")
struct MachineCheckTests {
    private static func pi4(_ changes: [String: String] = [:]) throws -> FileTree {
        try FileTree(FileTree.pi4.merging(changes) { $1 })
    }

    private static let throttled = "sys/devices/platform/soc/soc:firmware/get_throttled"
    private static let alarm = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"

    @Test func aHealthyPi() throws {
        let machine = try Self.pi4()
        let board = machine.checked { BoardCheck.result($0, pageSize: 16384) }
        #expect(
            board.finding
                == "Raspberry Pi 4 Model B Rev 1.5; pages of 16 KiB; clock source arch_sys_counter; "
                + "overlay login-kiosk-keypad"
        )
        #expect(machine.checked { PowerCheck.result($0) } == .ok("enough, and no throttling since the start"))
        #expect(machine.checked { HeatCheck.result($0) } == .ok("48 degrees Celsius"))
        #expect(machine.checked { WearCheck.result($0) } == .ok("the memory SC32G does not report its wear"))
        #expect(machine.checked { LimitCheck.result($0) }?.status == .ok)
        #expect(
            machine.checked { SensorCheck.result($0, isNeeded: true, program: "/usr/bin/rpicam-vid") }?.status == .ok)
        #expect(machine.checked { SensorCheck.result($0, isNeeded: false, program: nil) }?.status == .ok)
    }

    @Test("Temperature and power in the metrics")
    func figures() throws {
        let healthy = try Self.pi4()
        #expect(healthy.checked { HeatCheck.celsius($0).map { Int($0) } } == 48)
        #expect(healthy.checked { PowerCheck.isTooLittle($0) } == false)
        for (name, content) in [(Self.throttled, "50005\n"), (Self.alarm, "1\n")] {
            #expect(try Self.pi4([name: content]).checked { PowerCheck.isTooLittle($0) } == true, "\(name)")
        }
        // It was throttled before, and not because of the power supply now.
        #expect(try Self.pi4([Self.throttled: "50000\n"]).checked { PowerCheck.isTooLittle($0) } == false)
        try FileTree().checked { tree in
            #expect(HeatCheck.celsius(tree) == nil && PowerCheck.isTooLittle(tree) == nil)
        }
    }

    @Test("A machine that reports nothing gets no status")
    func nothing() throws {
        try FileTree().checked { tree in
            #expect(PowerCheck.result(tree) == nil && HeatCheck.result(tree) == nil && WearCheck.result(tree) == nil)
            #expect(LimitCheck.result(tree) == nil)
            #expect(SensorCheck.result(tree, isNeeded: false, program: nil) == nil)
            #expect(BoardCheck.result(tree, pageSize: 4096) == .ok("this machine; pages of 4 KiB"))
        }
    }

    @Test(arguments: [
        ("50005", "the power supply gives too little now; the processor is throttled now", "powered hub"),
        (
            "50000", "the power supply gives too little, at some time since the start; the processor is throttled",
            "supply"
        ),
        ("0x80008", "it is slowed down for its temperature now", "heat sink"),
        ("20002", "the processor's speed is capped now", "heat sink"),
    ])
    func throttling(report: String, finding: String, remedy: String) throws {
        let result = try #require(try Self.pi4([Self.throttled: "\(report)\n"]).checked { PowerCheck.result($0) })
        #expect(result.status == .warning && result.finding.hasPrefix(finding), "\(result)")
        #expect(result.remedy?.contains(remedy) == true, "\(result)")
    }

    @Test("A single source is believed, and the alarm adds to the report")
    func voltage() throws {
        let both = try #require(try Self.pi4([Self.alarm: "1\n"]).checked { PowerCheck.result($0) })
        #expect(both.status == .warning && both.finding == "the power supply gives too little now")
        let upstream = try FileTree([
            "sys/class/hwmon/hwmon1/name": "rpi_volt\n", Self.alarm: "1\n",
        ])
        #expect(upstream.checked { PowerCheck.result($0) }?.status == .warning)
        try upstream.file(Self.alarm, "0\n")
        #expect(upstream.checked { PowerCheck.result($0) }?.finding.contains("does not report throttling") == true)
        // A Raspberry Pi 5 names the bus after its address.
        let other = try FileTree([
            "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled": "1\n"
        ])
        #expect(other.checked { PowerCheck.result($0) }?.status == .warning)
    }

    @Test func heat() throws {
        func heat(_ temperatures: String...) throws -> CheckResult? {
            let files = temperatures.enumerated().map { ("sys/class/thermal/thermal_zone\($0)/temp", $1) }
            return try FileTree(Dictionary(uniqueKeysWithValues: files)).checked { HeatCheck.result($0) }
        }
        #expect(try heat("79999\n", "20000\n")?.status == .ok)
        #expect(try heat("20000\n", "80000\n")?.status == .warning)
        // A broken sensor does not count as too hot.
        #expect(try heat("-274000\n", "9000000\n", "hot\n") == nil)
        #expect(try heat("-1000\n")?.finding == "-1 degrees Celsius")
    }

    @Test(arguments: [
        ("0x01 0x02", "0x01", CheckResult.Status.ok, "10 to 20 %"),
        ("0x08 0x01", "0x01", .ok, "70 to 80 %"),
        ("0x09 0x01", "0x01", .warning, "80 to 90 %"),
        ("0x01 0x01", "0x02", .warning, "0 to 10 %"),
        ("0x01 0x0b", "0x01", .warning, "end of its life"),
        ("0x01 0x01", "0x03", .warning, "end of its life"),
        ("0x00 0x00", "0x00", .ok, "does not report"),
        ("0xff zz", "-", .ok, "does not report"),
        ("", "", .ok, "does not report"),
    ])
    func wear(life: String, reserve: String, status: CheckResult.Status, finding: String) throws {
        let card = "sys/bus/mmc/devices/mmc0:0001"
        let machine = try FileTree([
            "\(card)/type": "MMC\n", "\(card)/name": "BJTD4R\n", "\(card)/life_time": "\(life)\n",
            "\(card)/pre_eol_info": "\(reserve)\n",
        ])
        let result = try #require(machine.checked { WearCheck.result($0) })
        #expect(result.status == status && result.finding.contains(finding), "\(result)")
        // The worst of several is reported.
        try machine.file("sys/bus/mmc/devices/mmc1:aaaa/type", "SD\n")
        #expect(machine.checked { WearCheck.result($0) }?.status == status)
    }

    @Test func space() throws {
        #expect(SpaceCheck.result("/s", free: SpaceCheck.limit, freeNames: nil, isReadOnly: false).status == .ok)
        #expect(
            SpaceCheck.result("/s", free: SpaceCheck.limit - 1, freeNames: nil, isReadOnly: false).status == .warning)
        #expect(SpaceCheck.result("/s", free: .max, freeNames: 999, isReadOnly: false).status == .warning)
        #expect(SpaceCheck.result("/s", free: .max, freeNames: 1000, isReadOnly: true).status == .failure)
        // A missing directory will be created on this file system.
        let place = FileManager.default.temporaryDirectory.path()
        #expect(SpaceCheck.result(place + "/not/there/yet") != nil)
        #expect(SpaceCheck.result("/proc/self/exe/no") == nil)
    }

    @Test func limits() throws {
        let off = try Self.pi4(["sys/fs/cgroup/cgroup.controllers": "cpuset cpu io pids\n"])
        let result = try #require(off.checked { LimitCheck.result($0) })
        #expect(result.status == .warning && result.remedy?.contains("cgroup_enable=memory") == true)
    }

    @Test func withoutLandlock() throws {
        let machine = try Self.pi4(["sys/kernel/security/lsm": "capability\n"])
        #expect(
            machine.checked { BoardCheck.result($0, pageSize: 4096) }.finding.hasSuffix(
                "no Landlock among its security modules (capability)"))
    }

    @Test func speechNeedsItsProgramAndACard() throws {
        let silent = try FileTree()
        #expect(silent.checked { SpeechCheck.result($0, isWanted: false, program: nil) } == nil)
        let missing = silent.checked { SpeechCheck.result($0, isWanted: true, program: nil) }
        #expect(missing?.status == .warning && missing?.remedy == "apt-get install espeak-ng")
        let without = silent.checked { SpeechCheck.result($0, isWanted: true, program: "/usr/bin/espeak-ng") }
        #expect(without?.status == .warning && without?.finding.contains("no sound card") == true)
        // A microphone plays nothing.
        try silent.file("dev/snd/pcmC1D0c", "")
        #expect(
            silent.checked { SpeechCheck.result($0, isWanted: true, program: "/usr/bin/espeak-ng") }?.status == .warning
        )
        let pi = try FileTree([
            "dev/snd/pcmC0D0p": "", "dev/snd/pcmC1D0p": "", "dev/snd/pcmC1D1p": "",
            "sys/class/sound/card0/id": "Headphones\n",
        ])
        #expect(
            pi.checked { SpeechCheck.result($0, isWanted: true, program: "/usr/bin/espeak-ng") }
                == .ok("espeak-ng is installed; sound cards: Headphones, 1"))
        #expect(pi.checked { SoundCard.all($0) }.map(\.device) == ["plughw:CARD=Headphones", "plughw:CARD=1"])
    }

    private static func display(
        _ wanted: String, isInstalled: Bool = true, at connector: String? = nil, mayDraw: Bool = true
    ) -> CheckResult? {
        DisplayCheck.result(wanted, isInstalled: isInstalled, panel: connector.map { ($0, "800x480") }) { card in
            #expect(card == "card0")
            return mayDraw
        }
    }

    @Test func thePanelAndItsProgram() {
        let panel = "card0-HDMI-A-1"
        #expect(Self.display("none", at: panel) == nil)
        #expect(Self.display("auto", at: panel) == .ok("card0-HDMI-A-1 (800x480)"))
        #expect(Self.display("HDMI-A-1", at: panel) == .ok("card0-HDMI-A-1 (800x480)"))
        #expect(Self.display("auto") == .ok("no panel is connected; the console shows the screen"))
        #expect(Self.display("card7")?.status == .warning)
        #expect(Self.display("auto", at: panel, mayDraw: false)?.remedy == "add the kiosk's user to the group video")
        #expect(Self.display("auto", isInstalled: false) == nil)
        #expect(Self.display("auto", isInstalled: false, at: panel)?.status == .ok)
        #expect(Self.display("card0", isInstalled: false, at: panel)?.status == .failure)
    }

    @Test func aSensorWithoutItsParts() throws {
        let bare = try FileTree(["proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0"])
        let result = try #require(bare.checked { SensorCheck.result($0, isNeeded: true, program: nil) })
        #expect(result.status == .failure && result.remedy == "apt-get install rpicam-apps")
        for words in ["rpicam-vid", "no sensor", "/dev/media", "/dev/dma_heap"] {
            #expect(result.finding.contains(words), "\(result)")
        }
        let unplugged = try #require(
            try Self.pi4(["sys/class/video4linux/video0/name": "bcm2835-isp\n"]).checked {
                SensorCheck.result($0, isNeeded: true, program: "/x")
            })
        #expect(unplugged.status == .failure && unplugged.remedy?.contains("ribbon") == true)
    }

    /// All checks of a machine.
    private static func all(_ tree: SystemTree) -> [CheckResult] {
        [
            BoardCheck.result(tree, pageSize: 4096), PowerCheck.result(tree), HeatCheck.result(tree),
            WearCheck.result(tree),
            LimitCheck.result(tree), SensorCheck.result(tree, isNeeded: true, program: nil),
        ].compactMap(\.self)
    }

    private static func expectSound(_ results: [CheckResult]) {
        for result in results {
            #expect((result.remedy == nil) == (result.status == .ok), "\(result)")
            #expect(
                result.finding.utf8.count < 600 && result.finding.unicodeScalars.allSatisfy { $0.value >= 32 },
                "\(result)")
        }
    }

    @Test("A directory instead of a file, ten megabytes, an empty file, and binary data")
    func hostile() throws {
        for name in FileTree.pi4.keys.sorted() {
            let machine = try Self.pi4()
            try machine.directory(name)
            Self.expectSound(machine.checked(Self.all))
            try machine.directory("\(name)/inner")
            Self.expectSound(machine.checked(Self.all))
            for content in [
                Data(), Data([0xFF, 0xFE, 0x00, 0x0A]), Data(repeating: UInt8(ascii: "7"), count: 10 * 1024 * 1024),
                Data("\u{1B}[2J\u{7}\n".utf8), Data("99999999999999999999\n".utf8), Data("-1\n".utf8),
            ] {
                try machine.file(name, content)
                Self.expectSound(machine.checked(Self.all))
            }
        }
    }

    @Test(arguments: 0..<4) func arbitraryContent(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("0123456789abcdefx \n-:,\0\u{1B}ßMMCSDunicam".unicodeScalars)
        for _ in 0..<TestEffort.rounds(10) {
            let machine = try Self.pi4()
            for name in FileTree.pi4.keys.sorted() where Int.random(in: 0..<3, using: &random) == 0 {
                let scalars = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    alphabet.randomElement(using: &random)!
                }
                try machine.file(name, String(String.UnicodeScalarView(scalars)))
            }
            Self.expectSound(machine.checked(Self.all))
        }
    }

    @Test("The machine that runs the tests") func thisOne() {
        Self.expectSound(Self.all(SystemTree()))
        #expect(SpaceCheck.result("/") != nil)
    }
}
