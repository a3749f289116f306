// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import LinuxSystem
import PictureTestKit
import Synchronization

@testable import Capture

/// A fake kernel with cameras. It tracks open files and mappings, delivers a test's frames, and fails on request.
final class FakeVideoSystem: VideoSystem {
    struct Frame {
        var bytes: [UInt8]
        var flags: UInt32 = 0
        var sequence: UInt32
        var captured = Duration.seconds(7)
    }

    /// The camera's next action.
    enum Deed {
        case frame(Frame)
        case failure(Int32)
        /// The camera disappears, and reading from it gives this error.
        case unplug(String, Int32)
        /// One whole wait passes.
        case silence
    }

    private struct State {
        var cameras: [String: FakeCamera]
        var open: [Int32: String] = [:]
        var nextNumber: Int32 = 1000
        /// Mapped memory, and the descriptor that it was mapped from.
        var mapped: [UInt: Int32] = [:]
        /// Memory of the process that replaced a buffer.
        var copies: Set<UInt> = []
        var queued: [Int] = []
        var memory: [Int: UInt] = [:]
        var deeds: [Deed] = []
        var calls = 0
        var failing: (call: Int, code: Int32)?
        var refused: [UInt: Int32] = [:]
        var journal: [String] = []
        /// Pixels of the format that was set last.
        var area = 0
        var format = v4l2_pix_format()
    }

    static let bufferSize = 1 << 16
    private let state: Mutex<State>
    private let news = Waker.required()
    let clock = ManualFrameClock()

    init(_ cameras: [String: FakeCamera]) { state = Mutex(State(cameras: cameras)) }

    var openCount: Int { state.withLock { $0.open.count } }
    var mappedCount: Int { state.withLock { $0.mapped.count } }
    var copyCount: Int { state.withLock { $0.copies.count } }
    var callCount: Int { state.withLock { $0.calls } }
    /// The value of a camera's control.
    func value(of id: Int32, at path: String) -> Int32? {
        state.withLock { $0.cameras[path]?.controls.first { $0.id == UInt32(id) }?.value }
    }

    /// As another program does.
    func change(_ id: Int32, at path: String, _ change: (inout FakeCamera.Control) -> Void) {
        state.withLock { state in
            guard let index = state.cameras[path]?.controls.firstIndex(where: { $0.id == UInt32(id) }) else { return }
            if var camera = state.cameras[path] {
                change(&camera.controls[index])
                state.cameras[path] = camera
            }
        }
    }

    /// Settings, in the order of the calls.
    var journal: [String] { state.withLock { $0.journal } }

    func does(_ deeds: Deed...) {
        state.withLock { $0.deeds += deeds }
        news.raise()
    }

    func plug(_ camera: FakeCamera, at path: String) { state.withLock { $0.cameras[path] = camera } }
    /// Makes every such request fail; with 0 it works again.
    func refuse(_ request: UInt, with code: Int32) { state.withLock { $0.refused[request] = code == 0 ? nil : code } }
    /// Makes the call with this number fail, counted from 0 over all kinds of calls.
    func fail(call: Int, with code: Int32) { state.withLock { $0.failing = (call, code) } }

    func open(_ path: String) throws(SystemFailure) -> Int32 {
        try state.withLock { state throws(SystemFailure) in
            try FakeVideoSystem.count(&state)
            guard state.cameras[path] != nil else { throw SystemFailure(ENOENT) }
            state.nextNumber += 1
            state.open[state.nextNumber] = path
            return state.nextNumber
        }
    }

    func close(_ number: Int32) {
        state.withLock { state in
            precondition(state.open.removeValue(forKey: number) != nil, "closed twice")
            state.queued = []
        }
    }

    func control<Argument>(_ number: Int32, _ request: UInt, _ argument: inout Argument) throws(SystemFailure) {
        let code: Int32 = state.withLock { state in
            do throws(SystemFailure) { try FakeVideoSystem.count(&state) } catch { return error.code }
            if let code = state.refused[request] { return code }
            guard let path = state.open[number] else { return EBADF }
            guard let camera = state.cameras[path] else { return ENODEV }
            // Like the kernel: memory that is still mapped keeps a closed camera busy.
            if request == UInt(cv4l2_set_format), state.mapped.values.contains(where: { state.open[$0] == nil }) {
                return EBUSY
            }
            FakeVideoSystem.passTime(of: path, &state)
            return unsafe withUnsafeMutablePointer(to: &argument) { argument in
                if [cv4l2_get_control, cv4l2_set_control].contains(where: { UInt($0) == request }) {
                    return unsafe FakeVideoSystem.answer(
                        request, UnsafeMutableRawPointer(argument).assumingMemoryBound(to: v4l2_control.self), path,
                        &state)
                }
                return unsafe FakeVideoSystem.answer(request, UnsafeMutableRawPointer(argument), camera, &state)
            }
        }
        if code != 0 { throw SystemFailure(code) }
    }

    @unsafe func map(_ number: Int32, length: Int, offset: Int) throws(SystemFailure) -> UnsafeRawBufferPointer {
        let address: UInt = try state.withLock { state throws(SystemFailure) in
            try FakeVideoSystem.count(&state)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
            let address = UInt(bitPattern: memory)
            state.mapped[address] = number
            state.memory[offset / FakeVideoSystem.bufferSize] = address
            return address
        }
        return unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: length)
    }

    @unsafe func detach(_ memory: UnsafeRawBufferPointer) throws(SystemFailure) {
        let address = UInt(bitPattern: memory.baseAddress)
        try state.withLock { state throws(SystemFailure) in
            try FakeVideoSystem.count(&state)
            precondition(state.mapped.removeValue(forKey: address) != nil, "detached without being mapped")
            state.copies.insert(address)
        }
    }

    @unsafe func unmap(_ memory: UnsafeRawBufferPointer) {
        let address = UInt(bitPattern: memory.baseAddress)
        state.withLock { state in
            let isCopy = state.copies.remove(address) != nil
            precondition(isCopy || state.mapped.removeValue(forKey: address) != nil, "unmapped twice")
        }
        unsafe memory.deallocate()
    }

    func wait(forCamera number: Int32, orOrder order: Int32, within limit: Duration) -> VideoEvent {
        while true {
            let event: VideoEvent? = state.withLock { state in
                switch state.deeds.first {
                case .frame, .failure: return .frame
                case .unplug: return .error
                case .silence:
                    state.deeds.removeFirst()
                    clock.wait(limit)
                    return .timeout
                case nil: return nil
                }
            }
            if let event { return event }
            let happened = Poll.events(on: [order, news.descriptor], within: limit)
            if happened[0] != 0 { return .order }
            if happened[1] == 0 { return .timeout }
            news.lower()
        }
    }

    private static func count(_ state: inout State) throws(SystemFailure) {
        defer { state.calls += 1 }
        if let failing = state.failing, failing.call == state.calls { throw SystemFailure(failing.code) }
    }

    /// - Returns: 0 or an error number.
    @unsafe private static func answer(
        _ request: UInt, _ argument: UnsafeMutableRawPointer, _ camera: FakeCamera, _ state: inout State
    ) -> Int32 {
        func structure<Kind>(_: Kind.Type) -> UnsafeMutablePointer<Kind> {
            unsafe argument.assumingMemoryBound(to: Kind.self)
        }
        switch request {
        case UInt(cv4l2_query_capability):
            let capability = unsafe structure(v4l2_capability.self)
            unsafe write(camera.name, to: &capability.pointee.card)
            unsafe write(camera.driver, to: &capability.pointee.driver)
            unsafe capability.pointee.capabilities = camera.abilities
        case UInt(cv4l2_enumerate_formats):
            let format = unsafe structure(v4l2_fmtdesc.self)
            let codes = camera.formats.map(\.code).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            guard unsafe Int(format.pointee.index) < codes.count else { return EINVAL }
            unsafe format.pointee.pixelformat = FakeCamera.code(codes[Int(format.pointee.index)]).value
        case UInt(cv4l2_enumerate_sizes):
            let size = unsafe structure(v4l2_frmsizeenum.self)
            let wanted = unsafe size.pointee.pixel_format
            let sizes = camera.formats.filter { FakeCamera.code($0.code).value == wanted }
            guard unsafe Int(size.pointee.index) < sizes.count else { return EINVAL }
            let one = unsafe sizes[Int(size.pointee.index)]
            unsafe size.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            unsafe size.pointee.discrete = v4l2_frmsize_discrete(width: UInt32(one.width), height: UInt32(one.height))
        case UInt(cv4l2_set_format):
            let format = unsafe structure(v4l2_format.self)
            let code = unsafe PixelCode(format.pointee.fmt.pix.pixelformat).description
            let isPacked = ["YUYV", "UYVY"].contains(code)
            precondition(unsafe format.pointee.fmt.pix.field == V4L2_FIELD_NONE.rawValue, "progressive is asked for")
            unsafe format.pointee.fmt.pix.field = camera.fields
            state.journal.append(
                unsafe "\(code) \(format.pointee.fmt.pix.width)x\(format.pointee.fmt.pix.height)")
            if let only = camera.only {
                unsafe format.pointee.fmt.pix.width = UInt32(only.width)
                unsafe format.pointee.fmt.pix.height = UInt32(only.height)
            }
            unsafe format.pointee.fmt.pix.height -= format.pointee.fmt.pix.height % UInt32(camera.rounding)
            let width = unsafe format.pointee.fmt.pix.width
            unsafe format.pointee.fmt.pix.bytesperline = width * (isPacked ? 2 : 1) + UInt32(camera.padding)
            state.area = unsafe Int(width * format.pointee.fmt.pix.height)
        case UInt(cv4l2_request_buffers):
            let request = unsafe structure(v4l2_requestbuffers.self)
            if unsafe request.pointee.count == 0 { state.queued = [] }
            unsafe request.pointee.count = 4
        case UInt(cv4l2_query_buffer):
            let buffer = unsafe structure(v4l2_buffer.self)
            unsafe buffer.pointee.length = UInt32(bufferSize)
            unsafe buffer.pointee.m.offset = buffer.pointee.index * UInt32(bufferSize)
        case UInt(cv4l2_queue_buffer):
            let index = unsafe Int(structure(v4l2_buffer.self).pointee.index)
            precondition(!state.queued.contains(index), "queued twice")
            state.queued.append(index)
        case UInt(cv4l2_dequeue_buffer): return unsafe dequeue(structure(v4l2_buffer.self), &state)
        case UInt(cv4l2_query_control):
            let query = unsafe structure(v4l2_queryctrl.self)
            let asked = unsafe query.pointee.id
            let isEnumeration = asked & UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) != 0
            let last = asked & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            let fitting = camera.controls.filter { isEnumeration ? $0.id > last : $0.id == asked }
            guard let next = fitting.min(by: { $0.id < $1.id }) else { return EINVAL }
            unsafe query.pointee = v4l2_queryctrl()
            unsafe query.pointee.id = next.id
            unsafe query.pointee.type = V4L2_CTRL_TYPE_INTEGER.rawValue
            unsafe write(next.name, to: &query.pointee.name)
            unsafe query.pointee.minimum = next.range.lowerBound
            unsafe query.pointee.maximum = next.range.upperBound
            unsafe query.pointee.step = 1
            unsafe query.pointee.flags =
                next.flags | (isActive(next, in: camera) ? 0 : UInt32(V4L2_CTRL_FLAG_INACTIVE))
        case UInt(cv4l2_stream_on):
            if let refusal = camera.startRefusal, state.area > camera.startsWith { return refusal }
        case UInt(cv4l2_stream_off), UInt(cv4l2_set_parameters): break
        default: return EINVAL
        }
        return 0
    }

    private static func isActive(_ control: FakeCamera.Control, in camera: FakeCamera) -> Bool {
        guard let needs = control.needs else { return true }
        return camera.controls.contains { $0.id == needs.id && $0.value == needs.value }
    }

    /// Values that are on their way come nearer with each call.
    private static func passTime(of path: String, _ state: inout State) {
        guard var camera = state.cameras[path] else { return }
        for index in camera.controls.indices {
            guard let (value, calls) = camera.controls[index].coming else { continue }
            camera.controls[index].coming = calls > 0 ? (value, calls - 1) : nil
            if calls == 0 { camera.controls[index].value = value }
        }
        state.cameras[path] = camera
    }

    /// - Returns: 0 or an error number.
    @unsafe private static func answer(
        _ request: UInt, _ argument: UnsafeMutablePointer<v4l2_control>, _ path: String, _ state: inout State
    ) -> Int32 {
        guard var camera = state.cameras[path] else { return ENODEV }
        let id = unsafe argument.pointee.id
        guard let index = camera.controls.firstIndex(where: { $0.id == id }) else { return EINVAL }
        let control = camera.controls[index]
        guard request == UInt(cv4l2_set_control) else {
            unsafe argument.pointee.value = control.value
            return 0
        }
        if let refusal = control.refusal { return refusal }
        guard isActive(control, in: camera) else { return EACCES }
        let value = unsafe argument.pointee.value
        state.journal.append("\(control.name) = \(value)")
        if control.lateness == 0 {
            camera.controls[index].value = value
        } else if control.coming?.value != value {
            camera.controls[index].coming = (value, control.lateness)
        }
        state.cameras[path] = camera
        return 0
    }

    @unsafe private static func dequeue(_ buffer: UnsafeMutablePointer<v4l2_buffer>, _ state: inout State) -> Int32 {
        guard let deed = state.deeds.first else { return EAGAIN }
        switch deed {
        case .silence: return EAGAIN
        case .failure(let code):
            state.deeds.removeFirst()
            return code
        case .unplug(let path, let code):
            state.deeds.removeFirst()
            state.cameras[path] = nil
            return code
        case .frame(let frame):
            guard let index = state.queued.first else { return EAGAIN }
            state.deeds.removeFirst()
            state.queued.removeFirst()
            guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: state.memory[index] ?? 0) else { return EIO }
            unsafe memory.copyMemory(from: frame.bytes, byteCount: frame.bytes.count)
            unsafe buffer.pointee.index = UInt32(index)
            unsafe buffer.pointee.bytesused = UInt32(frame.bytes.count)
            unsafe buffer.pointee.flags = frame.flags | UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
            unsafe buffer.pointee.sequence = frame.sequence
            unsafe buffer.pointee.timestamp.tv_sec = Int(frame.captured.components.seconds)
            return 0
        }
    }

    @unsafe private static func write<Field>(_ text: String, to field: inout Field) {
        unsafe withUnsafeMutableBytes(of: &field) { unsafe $0.copyBytes(from: text.utf8) }
    }
}
