// SPDX-License-Identifier: Apache-2.0

import ConfinedProcess
import Display
import Glibc
import KioskPorts
import Testing

@testable import login_kiosk_display

@Suite(.timeLimit(.minutes(10))) struct DisplayProgramTests {
    static let view: DisplayView = {
        var view = DisplayView(.consent, .ask, title: "Искате ли да влезете тук?")
        view.lines = [DisplayView.Line(label: "Domain:", "login.example.com 日本 😀", kind: .domain)]
        view.factCount = 1
        view.keys = [
            DisplayView.Key(.enter, cap: "Enter", label: "OK", meaning: .yes),
            DisplayView.Key(.back, cap: "*", label: "Not me", meaning: .no),
        ]
        return view
    }()

    /// Draws within its confinement, with letters of several fonts.
    @Test func viewsAreDrawnAndReported() throws {
        let display = try RunningDisplay("--memory", "800x480")
        #expect(try display.next() == .hello(version: 1, confinesFiles: FileFilter.version != nil))
        try display.send(.settings(DisplaySettings()))
        try display.send(.view(number: 5, Self.view))
        guard case .panel(.shown(let panel)) = try display.next() else {
            Issue.record("the panel is not reported")
            return
        }
        #expect(panel.width == 800 && panel.height == 480 && panel.codeRoom > 90)
        #expect((panel.documentRoom?.columns ?? 0) > 40)
        var scan = DisplayView(.scan, .ready, title: "Scan")
        scan.showsPreview = true
        try display.send(.view(number: 6, scan))
        let luma = [UInt8](repeating: 90, count: PreviewPicture.width * PreviewPicture.height)
        try display.send(.preview(try #require(PreviewPicture(luma: luma))))
        var shown: [UInt32] = []
        while shown.last != 6, case .shown(let number, let leftOut, let keys)? = try display.next() {
            shown.append(number)
            #expect(leftOut.isEmpty)
            if number == 5 {
                #expect(keys.map(\.key) == [.ofView(0), .ofView(1)])
                #expect(keys.allSatisfy { $0.width > 300 && $0.height >= 64 })
            }
        }
        // A slow display skips views; the last is shown.
        #expect(shown.last == 6)
        try display.send(.settings(DisplaySettings(rotation: .left)))
        guard case .panel(.shown(let turned)) = try display.next() else {
            Issue.record("the turned panel is not reported")
            return
        }
        #expect(turned.width == 480 && turned.height == 800)
        try display.send(.stop)
        #expect(try display.finish() == EXIT_SUCCESS)
    }

    /// A panel that sleeps is not drawn at, and answers.
    @Test func aPanelSleepsAndWakes() throws {
        let display = try RunningDisplay("--memory", "480x800")
        _ = try display.next()
        try display.send(.settings(DisplaySettings()))
        var resting = DisplayView(.scan, .ready, title: "Scan")
        for (number, step) in [nil, 55, 56, nil].enumerated() {
            resting.restStep = step
            resting.isAsleep = step != nil
            try display.send(.view(number: UInt32(number), resting))
            if number == 0 { _ = try display.next() }
            #expect(try display.next() == .shown(view: UInt32(number), leftOut: [], keys: []))
        }
        try display.send(.stop)
        #expect(try display.finish() == EXIT_SUCCESS)
    }

    /// A card is opened for a picture, and not before there is one.
    @Test func aMissingCardIsSaidAndWaitedFor() throws {
        let display = try RunningDisplay("--panel", "card250-HDMI-A-1")
        _ = try display.next()
        try display.send(.settings(DisplaySettings()))
        try display.send(.view(number: 1, Self.view))
        #expect(try display.next() == .panel(.missing("/dev/dri/card250: No such file or directory")))
        try display.send(.stop)
        #expect(try display.finish() == EXIT_SUCCESS)
    }

    @Test func itEndsWithItsParent() throws {
        let display = try RunningDisplay("--memory", "480x800")
        _ = try display.next()
        try display.closeOrders()
        #expect(try display.finish() == EX_IOERR)
        let confused = try RunningDisplay("--memory", "480x800")
        try confused.send(bytes: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try confused.finish() == EX_IOERR)
    }

    @Test(arguments: [
        [], ["--panel"], ["--panel", ""], ["--panel", "card0"], ["--panel", "card0-"], ["--panel", "../x-HDMI-A-1"],
        ["--panel", "card999-DSI-1"], ["--memory", "800"], ["--memory", "0x480"], ["--memory", "9000x480"],
        ["--panel", "card0-DSI-1", "x"], ["--screen", "card0-DSI-1"],
    ])
    func wrongArgumentsAreRefused(words: [String]) { #expect(DisplayDevice(words) == nil) }

    @Test func argumentsNameADevice() {
        let named = DisplayDevice(["--panel", "card1-HDMI-A-2"])
        #expect(named == .panel(card: "/dev/dri/card1", connector: "HDMI-A-2"))
        #expect(DisplayDevice(["--memory", "800x480"]) == .memory(width: 800, height: 480))
    }

    /// No network, no program, no other file, and nothing of a card but its panel.
    @Test func whatItDoesNotNeedIsRefused() async {
        await #expect(processExitsWith: .success) {
            let rules = FileRule.rules(for: .memory(width: 800, height: 480))
            let confinesFiles = try Confinement.apply(AllowedCall.ofDisplay(as: getpid(), on: .native), rules)
            for family in [AF_INET, AF_UNIX, AF_NETLINK] {
                guard socket(family, Int32(SOCK_STREAM.rawValue), 0) == -1, errno == EPERM else { exit(1) }
            }
            guard kill(getppid(), 0) == -1, errno == EPERM else { exit(2) }
            guard unsafe open("/tmp/x", O_WRONLY | O_CREAT, 0o600) == -1, errno == EPERM else { exit(3) }
            var key = CChar(10)
            guard unsafe ioctl(0, UInt(TIOCSTI), &key) == -1, errno == EPERM else { exit(4) }
            guard unsafe mmap(nil, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED else { exit(5) }
            if confinesFiles {
                guard unsafe open("/etc/passwd", O_RDONLY) == -1, errno == EACCES else { exit(6) }
                guard unsafe open("/dev/null", O_RDWR | O_CLOEXEC) == -1, errno == EACCES else { exit(7) }
                guard unsafe open("/etc/fonts/fonts.conf", O_RDONLY) >= 0 else { exit(8) }
            }
            exit(0)
        }
    }

    /// Each rotation shows the whole picture, and takes each part to the place that it names.
    @Test(arguments: DisplaySettings.Rotation.allCases)
    func aPictureIsTurned(by rotation: DisplaySettings.Rotation) {
        let (width, height) = (3, 2)
        let (seenWidth, seenHeight) = rotation.isSideways ? (height, width) : (width, height)
        let pixelCopy = PixelCopy(rotation: rotation, width: width, height: height)
        let source: [UInt32] = (0..<UInt32(seenWidth * seenHeight)).map { $0 + 1 }
        func turned(_ part: Rectangle) -> [UInt32] {
            var target = [UInt32](repeating: 0, count: width * height)
            unsafe source.withUnsafeBytes { from in
                unsafe target.withUnsafeMutableBytes { to in
                    if let to = to.baseAddress {
                        unsafe pixelCopy.copy(part, of: from, stride: seenWidth * 4, to: to, pitch: width * 4)
                    }
                }
            }
            return target
        }
        let whole = turned(Rectangle(x: 0, y: 0, width: seenWidth, height: seenHeight))
        let wanted: [UInt32] =
            switch rotation {
            case .none: [1, 2, 3, 4, 5, 6]
            case .right: [5, 3, 1, 6, 4, 2]
            case .half: [6, 5, 4, 3, 2, 1]
            case .left: [2, 4, 6, 1, 3, 5]
            }
        #expect(whole == wanted)
        let part = Rectangle(x: 1, y: 0, width: 1, height: 2)
        let place = pixelCopy.place(of: part)
        for (index, pixel) in turned(part).enumerated() {
            let (x, y) = (index % width, index / width)
            let isInside =
                (place.x..<place.x + place.width).contains(x) && (place.y..<place.y + place.height).contains(y)
            #expect(pixel == (isInside ? wanted[index] : 0))
        }
    }
}
