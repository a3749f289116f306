// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import KioskPorts
import LinuxSystem
import Synchronization

/// A camera that delivers: the open device, its buffers mapped into this process, and which of them are lent.
///
/// The thread that reads and the consumer that lends share it. When the camera is closed, its buffers are unmapped at
/// once, and a copy takes the place of a lent buffer. While a buffer is mapped, the kernel treats the camera as open,
/// refuses it to every program, and does not give its number to the next camera that is plugged in.
// Safe to use: the mapped memory is lent for the length of a call.
@safe final class VideoStream: Sendable {
    /// One is lent, one waits for the consumer, two are being filled.
    private static let bufferCount: UInt32 = 4
    /// Sizes that are tried when the camera does not start.
    private static let attempts = 4

    private struct State: ~Copyable {
        var device: VideoDevice?
        var lastSequence: UInt32?
        /// Buffers that were taken from the driver and not given back, by their indices.
        var lent: Set<Int> = []

        /// Counts the frames that the driver lost before this one.
        mutating func missedFrames(before sequence: UInt32) -> UInt64 {
            let missed = lastSequence.map { sequence &- $0 &- 1 } ?? 0
            lastSequence = sequence
            // A counter that starts again is not a gap.
            return missed < 1 << 16 ? UInt64(missed) : 0
        }
    }

    let path: String
    let identity: CameraIdentity
    /// The format that the driver delivers.
    let format: DeliveredFormat
    /// Sizes and formats that were passed over, and why.
    let passedOver: [String]
    let layout: LumaLayout
    /// For waiting only. It is closed by the thread that waits, and by no other.
    private let number: Int32
    private let system: any VideoSystem
    private let state: Mutex<State>
    // Separate from the state: a control may take a camera seconds, and the consumer must be able to return buffers
    // during that time.
    private let exposure: Mutex<ExposureHelp>
    // Safe to share: set once, and read only while one of them is lent.
    nonisolated(unsafe) private let buffers: [UnsafeRawBufferPointer]

    /// - Parameter avoided: formats that are asked for when there is no other.
    init(
        starting device: consuming VideoDevice, _ settings: CameraSettings,
        avoiding avoided: AvoidedFormats = AvoidedFormats()
    ) throws(FrameSourceError) {
        path = device.path
        identity = device.identity
        number = device.number
        let system = device.system
        self.system = system
        var avoided = avoided
        let (format, mapped) = try unsafe VideoStream.start(device, settings, avoiding: &avoided)
        self.format = format
        let name = "\(identity.name) (\(path))"
        passedOver = avoided.texts(at: path, but: format).map { "\(name): \($0)" }
        layout = LumaLayout(format.code)
        exposure = Mutex(ExposureHelp(ExposureControls(number: number, system: system, keeping: settings.controls)))
        unsafe buffers = unsafe mapped
        state = Mutex(State(device: device))
    }

    deinit {
        close()
    }

    /// Waits until the camera has a frame or an event.
    func wait(orOrder order: Int32, within limit: Duration) -> VideoEvent {
        system.wait(forCamera: number, orOrder: order, within: limit)
    }

    /// Takes the next filled buffer, without waiting.
    func dequeue(at now: Duration) throws(SystemFailure) -> Dequeued {
        try state.withLock { state throws(SystemFailure) in
            guard state.device != nil else { return .nothing }
            var buffer = unsafe VideoDevice.emptyBuffer()
            do throws(SystemFailure) {
                try unsafe state.device?.control(UInt(cv4l2_dequeue_buffer), &buffer)
            } catch {
                if error.code == EAGAIN { return .nothing }
                throw error
            }
            let index = unsafe Int(buffer.index)
            guard unsafe buffers.indices.contains(index) else { throw SystemFailure(ERANGE) }
            let missed = unsafe state.missedFrames(before: buffer.sequence)
            guard unsafe buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 else {
                try state.device?.queue(index)
                return .damaged
            }
            state.lent.insert(index)
            let count = unsafe min(Int(buffer.bytesused), buffers[index].count)
            let captured = unsafe VideoStream.monotonicTime(of: buffer) ?? now
            return .frame(
                CapturedBuffer(stream: self, index: index, count: count, captured: captured), missed: missed)
        }
    }

    /// - Returns: nil when the driver does not stamp frames by the monotonic clock.
    private static func monotonicTime(of buffer: v4l2_buffer) -> Duration? {
        let clock = unsafe buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        let stamp = unsafe Duration.seconds(buffer.timestamp.tv_sec) + .microseconds(buffer.timestamp.tv_usec)
        return clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) && stamp > .zero ? stamp : nil
    }

    /// Lends a buffer to be filled again. After the camera was closed only its memory has to be given back.
    func giveBack(_ buffer: CapturedBuffer) {
        state.withLock { state in
            state.lent.remove(buffer.index)
            // Safe: it was lent once, and a lent buffer is unmapped here only.
            guard state.device != nil else { return unsafe system.unmap(buffers[buffer.index]) }
            // If the stream is broken, the driver refuses the buffer, and the next wait reports it.
            try? state.device?.queue(buffer.index)
        }
    }

    /// Lends the bytes of a frame.
    func withBytes<Result, Failure: Error>(
        of buffer: CapturedBuffer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Safe: a buffer that is lent is mapped, and not queued, so that the driver does not write to it.
        try unsafe body(UnsafeRawBufferPointer(rebasing: buffers[buffer.index][..<buffer.count]))
    }

    /// Varies the exposure, or returns it to the camera's own regulation; only the thread that waits calls this.
    ///
    /// - Parameter stops: relative to the regulation's choice; nil for the regulation.
    /// - Returns: the controls that are still to be returned to the regulation.
    func shiftExposure(by stops: Int?, at now: Duration) -> [ControlSetting] {
        exposure.withLock { exposure in
            exposure.shift(by: stops, at: now)
            return exposure.taken
        }
    }

    /// Takes over controls that an earlier stream of this camera could not give back.
    func takeBack(_ owed: [ControlSetting], at now: Duration) {
        exposure.withLock { $0.takeBack(owed, at: now) }
    }

    /// A converter of libv4lconvert for this camera; it asks the driver about it. The caller destroys it.
    @unsafe func makeConverter() -> OpaquePointer? {
        unsafe state.withLock { state in
            guard state.device != nil else { return nil }
            return unsafe v4lconvert_create(number)
        }
    }

    /// Stops the camera and closes it; only the thread that waits for it calls this. The exposure is first returned to
    /// the camera's own regulation.
    ///
    /// - Returns: the controls that the camera did not take back.
    @discardableResult func close() -> [ControlSetting] {
        let isOpen = state.withLock { $0.device != nil }
        let owed = exposure.withLock { isOpen ? $0.close() : [] }
        state.withLock { state in
            guard state.device != nil else { return }
            var kind = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            try? state.device?.control(UInt(cv4l2_stream_off), &kind)
            for index in unsafe buffers.indices {
                // Safe: the consumer reads lent buffers only, and gets no new one, because the camera is closed.
                // Without memory for a copy, the camera stays busy until the buffer comes back.
                if state.lent.contains(index) {
                    try? unsafe system.detach(buffers[index])
                } else {
                    unsafe system.unmap(buffers[index])
                }
            }
            state.device = nil
        }
        return owed
    }

    /// Starts the camera in the best format in which it starts.
    ///
    /// - Parameter avoided: gets the formats in which it did not start.
    /// - Returns: the driver's format, and its buffers, mapped and lent to it.
    @unsafe private static func start(
        _ device: borrowing VideoDevice, _ settings: CameraSettings, avoiding avoided: inout AvoidedFormats
    ) throws(FrameSourceError) -> (format: DeliveredFormat, buffers: [UnsafeRawBufferPointer]) {
        let (path, system) = (device.path, device.system)
        var format = try device.negotiate(settings, avoiding: avoided)
        try device.set(settings.controls)
        var mapped: [UnsafeRawBufferPointer] = unsafe []
        var refused = AvoidedFormats()
        while true {
            do throws(SystemFailure) {
                try unsafe begin(device, into: &mapped)
                return unsafe (format, mapped)
            } catch {
                // Safe: no buffer has been lent yet.
                unsafe mapped.forEach { unsafe system.unmap($0) }
                unsafe mapped.removeAll()
                let problem = CameraFault.error(error, at: path, trying: "start its stream")
                // If a camera is gone, in use or forbidden, another size does not help. If it does not answer, each
                // size takes seconds.
                guard problem.code == .unreadable, error.code != ETIMEDOUT else { throw problem }
                // Each turn leaves one format less. Without room on the bus the driver refuses at once.
                let reason = error.code == ENOSPC ? AvoidedFormats.Reason.noRoom : .refused(error.reason)
                guard reason == .noRoom || refused.count(at: path) < attempts - 1 else { throw problem }
                refused.insert(reason, format, at: path)
                avoided.insert(reason, format, at: path)
                forgetBuffers(of: device)
                format = try device.negotiate(settings, avoiding: avoided)
                guard !refused.contains(format, at: path) else { throw problem }
            }
        }
    }

    /// Makes the driver take another format.
    private static func forgetBuffers(of device: borrowing VideoDevice) {
        var request = v4l2_requestbuffers()
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try? device.control(UInt(cv4l2_request_buffers), &request)
    }

    /// Maps the driver's buffers, lends them all to it, and starts the camera.
    @unsafe private static func begin(
        _ device: borrowing VideoDevice, into mapped: inout [UnsafeRawBufferPointer]
    ) throws(SystemFailure) {
        var request = v4l2_requestbuffers()
        request.count = bufferCount
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try device.control(UInt(cv4l2_request_buffers), &request)
        // v4l2loopback has two. With one, the camera would stand still until the consumer asks for its frame.
        guard (2...32).contains(request.count) else { throw SystemFailure(ENOBUFS) }
        for index in 0..<Int(request.count) {
            var buffer = unsafe VideoDevice.emptyBuffer()
            unsafe buffer.index = UInt32(index)
            try unsafe device.control(UInt(cv4l2_query_buffer), &buffer)
            try unsafe mapped.append(
                device.system.map(device.number, length: Int(buffer.length), offset: Int(buffer.m.offset)))
        }
        for index in unsafe mapped.indices { try device.queue(index) }
        var kind = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try device.control(UInt(cv4l2_stream_on), &kind)
    }
}

/// A buffer of the driver with a frame in it, on its way to the consumer. The consumer gives it back to the stream.
struct CapturedBuffer: Sendable {
    let stream: VideoStream
    let index: Int
    /// The length of the frame in bytes.
    let count: Int
    let captured: Duration
}

/// The result of asking the driver for a filled buffer.
enum Dequeued: Sendable {
    /// - Parameter missed: frames that the driver could not deliver before this one.
    case frame(CapturedBuffer, missed: UInt64)
    /// The driver marked the frame as damaged; it is back in the queue.
    case damaged
    case nothing
}
