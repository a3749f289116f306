// SPDX-License-Identifier: Apache-2.0

import CInput
import Glibc
import LinuxSystem

/// The kernel's own system calls.
struct KernelInputSystem: InputSystem {
    private static let folder = "/dev/input"
    /// The greatest number of reports in one read.
    private static let eventsAtOnce = 64

    func nodes() -> [String] {
        let numbers = entries(KernelInputSystem.folder).compactMap { name in
            name.hasPrefix("event") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().map { "\(KernelInputSystem.folder)/event\($0)" }
    }

    func links(to node: String) -> [String] {
        ["by-path", "by-id"].flatMap { kind in
            let folder = "\(KernelInputSystem.folder)/\(kind)"
            return entries(folder).sorted().map { "\(folder)/\($0)" }
        }.filter { leads($0, to: node) }
    }

    private func entries(_ folder: String) -> [String] {
        (try? DirectoryEntries.names(in: folder)) ?? []
    }

    func leads(_ path: String, to node: String) -> Bool {
        // Safe: with no buffer given, realpath returns one that is ours to free.
        guard let target = unsafe realpath(path, nil) else { return false }
        defer { unsafe free(target) }
        return unsafe String(cString: target) == node
    }

    func open(_ node: String) throws(SystemFailure) -> Int32 {
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure(errno) }
        // Every kernel since 3.4 has this clock for reports.
        _ = cinput_set_clock(number)
        return number
    }

    func now() -> Duration { MonotonicTime.now }

    func close(_ number: Int32) { Glibc.close(number) }

    func identity(_ number: Int32) throws(SystemFailure) -> InputIdentity {
        var id = input_id()
        // Safe: the call fills our own structure.
        guard unsafe cinput_ioctl(number, cinput_get_identity, &id) >= 0 else { throw SystemFailure(errno) }
        return InputIdentity(
            name: try text(number, cinput_get_name), place: (try? text(number, cinput_get_place)) ?? "",
            vendor: id.vendor, product: id.product)
    }

    func knownKeys(_ number: Int32) throws(SystemFailure) -> Set<UInt16> { try keys(number, cinput_get_known_keys) }

    func keysDown(_ number: Int32) throws(SystemFailure) -> Set<UInt16> { try keys(number, cinput_get_keys_down) }

    func touchAxes(_ number: Int32, _ keys: Set<UInt16>) throws(SystemFailure) -> TouchAxes? {
        var ranges: [UInt16: AxisRange] = [:]
        let wanted = [ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y].map(UInt16.init)
        let known = try bits(number, cinput_get_known_axes, Int(cinput_axis_bytes))
        for code in wanted where known.contains(code) {
            let axis = try axis(number, code)
            ranges[code] = AxisRange(least: axis.minimum, greatest: axis.maximum)
        }
        let properties = try bits(number, cinput_get_properties, Int(cinput_property_bytes))
        return TouchAxes(ranges: ranges, keys: keys, isDirect: properties.contains(UInt16(INPUT_PROP_DIRECT)))
    }

    func touchSnapshot(_ number: Int32, _ axes: TouchAxes) throws(SystemFailure) -> TouchSnapshot {
        var snapshot = TouchSnapshot()
        guard axes.hasSlots else {
            let isDown = try keysDown(number).contains(UInt16(BTN_TOUCH))
            let (x, y) = (try axis(number, UInt16(ABS_X)).value, try axis(number, UInt16(ABS_Y)).value)
            snapshot.slots = [TouchSnapshot.Slot(id: isDown ? 0 : -1, x: x, y: y)]
            return snapshot
        }
        let slot = try axis(number, UInt16(ABS_MT_SLOT))
        snapshot.current = Int(slot.value)
        let (ids, x, y) = (
            try slots(number, ABS_MT_TRACKING_ID), try slots(number, ABS_MT_POSITION_X),
            try slots(number, ABS_MT_POSITION_Y)
        )
        let count = min(max(Int(slot.maximum), 0) + 1, TouchAxes.mostSlots)
        snapshot.slots = (0..<count).map { TouchSnapshot.Slot(id: ids[$0], x: x[$0], y: y[$0]) }
        return snapshot
    }

    func udevRecord(_ number: Int32) -> String? {
        var status = stat()
        // Safe: the call fills our own structure.
        guard unsafe fstat(number, &status) == 0 else { return nil }
        let (major, minor) = (cinput_major(UInt(status.st_rdev)), cinput_minor(UInt(status.st_rdev)))
        guard let bytes = try? OpenedFile.read("/run/udev/data/c\(major):\(minor)", upTo: 64 * 1024) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private func axis(_ number: Int32, _ code: UInt16) throws(SystemFailure) -> input_absinfo {
        var axis = input_absinfo()
        // Safe: the call fills our own structure.
        guard unsafe cinput_ioctl(number, cinput_get_axis(UInt32(code)), &axis) >= 0 else {
            throw SystemFailure(errno)
        }
        return axis
    }

    private func slots(_ number: Int32, _ code: Int32) throws(SystemFailure) -> [Int32] {
        var slots = cinput_slots()
        slots.code = UInt32(code)
        // Safe: the call fills our own structure, whose size is in the request's number.
        guard unsafe cinput_ioctl(number, cinput_get_slots, &slots) >= 0 else { throw SystemFailure(errno) }
        // Safe: a fixed number of values of our own.
        return unsafe withUnsafeBytes(of: slots.values) { unsafe Array($0.bindMemory(to: Int32.self)) }
    }

    func grab(_ number: Int32) throws(SystemFailure) {
        guard cinput_ioctl_number(number, cinput_grab, 1) >= 0 else { throw SystemFailure(errno) }
    }

    func read(_ number: Int32) throws(SystemFailure) -> [InputEvent] {
        var events = [input_event](repeating: input_event(), count: KernelInputSystem.eventsAtOnce)
        // Safe: the kernel writes whole reports, at most as many bytes as the array has.
        let count = unsafe events.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw SystemFailure(errno) }
        return events.prefix(max(count, 0) / MemoryLayout<input_event>.stride).map(InputEvent.init)
    }

    func watch() -> Int32? {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { return nil }
        // Attributes change when udev gives the file to its group. The folder itself comes with the first device.
        // Safe: the texts are lent for the calls.
        _ = unsafe inotify_add_watch(number, KernelInputSystem.folder, UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO))
        _ = unsafe inotify_add_watch(number, "/dev", UInt32(IN_CREATE))
        return number
    }

    func drain(_ watch: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe: the count is the buffer's own. The bytes are dropped; a new search finds the changes.
        while unsafe bytes.withUnsafeMutableBytes({ unsafe Glibc.read(watch, $0.baseAddress, $0.count) }) > 0 {}
    }

    func wait(for numbers: [Int32], within limit: Duration?) -> Set<Int32> {
        var list = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds: Double = limit.map { $0 / .milliseconds(1) } ?? -1
        // Safe: the list is ours and the count its own. An interrupted wait is a short one.
        let count = unsafe list.withUnsafeMutableBufferPointer { list in
            unsafe poll(list.baseAddress, nfds_t(list.count), Int32(milliseconds.rounded(.up)))
        }
        guard count > 0 else { return [] }
        return Set(list.filter { $0.revents != 0 }.map(\.fd))
    }

    private func text(_ number: Int32, _ request: UInt) throws(SystemFailure) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(cinput_text_size))
        // Safe: the request's number holds the size of the array.
        let status = unsafe bytes.withUnsafeMutableBytes { unsafe cinput_ioctl(number, request, $0.baseAddress) }
        guard status >= 0 else { throw SystemFailure(errno) }
        // A device chooses its own name, and people read it.
        let text = bytes.prefix { $0 != 0 }.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: text, as: UTF8.self)
    }

    private func keys(_ number: Int32, _ request: UInt) throws(SystemFailure) -> Set<UInt16> {
        try bits(number, request, Int(cinput_key_bytes))
    }

    private func bits(_ number: Int32, _ request: UInt, _ count: Int) throws(SystemFailure) -> Set<UInt16> {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: the request's number holds the size of the array.
        let status = unsafe bytes.withUnsafeMutableBytes { unsafe cinput_ioctl(number, request, $0.baseAddress) }
        guard status >= 0 else { throw SystemFailure(errno) }
        var codes: Set<UInt16> = []
        for code in 0..<UInt16(bytes.count * 8) where bytes[Int(code / 8)] & (1 << UInt8(code % 8)) != 0 {
            codes.insert(code)
        }
        return codes
    }
}
