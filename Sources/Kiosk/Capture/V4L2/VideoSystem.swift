// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The system calls that drive a camera, all in one place, so that a test can make any of them fail.
protocol VideoSystem: Sendable {
    /// Opens for reading and writing, without ever waiting.
    func open(_ path: String) throws(SystemFailure) -> Int32

    func close(_ number: Int32)

    /// `ioctl`, with the C structure that belongs to the request.
    func control<Argument>(
        _ number: Int32, _ request: UInt, _ argument: inout Argument
    ) throws(SystemFailure)

    /// Maps a buffer of the driver for reading.
    @unsafe func map(_ number: Int32, length: Int, offset: Int) throws(SystemFailure) -> UnsafeRawBufferPointer

    /// Puts a copy of a mapped buffer in its place: the consumer that reads it reads on, and the driver has
    /// its memory back.
    @unsafe func detach(_ memory: UnsafeRawBufferPointer) throws(SystemFailure)

    @unsafe func unmap(_ memory: UnsafeRawBufferPointer)

    /// Waits until the camera has a frame or an event, an order comes, or the time is up.
    func wait(forCamera number: Int32, orOrder order: Int32, within limit: Duration) -> VideoEvent
}

extension VideoSystem {
    /// `ioctl`; a call that a signal interrupted is made again.
    func controlUninterrupted<Argument>(
        _ number: Int32, _ request: UInt, _ argument: inout Argument
    ) throws(SystemFailure) {
        // Signals cannot interrupt a call this often without any progress. A broken driver may report so.
        for _ in 0..<16 {
            do throws(SystemFailure) { return try control(number, request, &argument) } catch {
                guard error.code == EINTR else { throw error }
            }
        }
        throw SystemFailure(EINTR)
    }
}

/// The event that ended a wait for a camera.
enum VideoEvent: Sendable, Equatable {
    case frame
    /// The driver reports an error, as it does when the camera was unplugged.
    case error
    case order
    case timeout
}
