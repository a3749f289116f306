// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem

/// Requests the status of a running kiosk from its socket, by HTTP (RFC 9112).
struct StatusQuestion {
    /// Much more than any answer.
    private static let longestAnswer = 256 * 1024
    /// In seconds.
    private static let patience = 5

    let path: String

    /// Returns the kiosk's answer to `GET /status`.
    func ask() throws -> [UInt8] {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw silent("no socket: \(systemErrorText())") }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: StatusQuestion.patience, tv_usec: 0)
        // Safe: both calls read the variable that they are lent, with its size.
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        try connect(descriptor)
        let question = Array("GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        // Safe: the call reads the bytes while it lasts.
        let sent = unsafe question.withUnsafeBytes {
            unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == question.count else { throw silent("it takes no question: \(systemErrorText())") }
        return try body(of: try answer(descriptor))
    }

    private func connect(_ descriptor: Int32) throws {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: place.sun_path) else { throw silent("the path is too long") }
        // Safe: the name is shorter than the path of the structure, which is ours.
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: name) }
        let status = unsafe withUnsafePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw silent(systemErrorText()) }
    }

    private func answer(_ descriptor: Int32) throws -> [UInt8] {
        let end = ContinuousClock.now + .seconds(StatusQuestion.patience)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < StatusQuestion.longestAnswer, ContinuousClock.now < end {
            // Safe: the call writes no more than the array holds.
            let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count == 0 { return bytes }
            guard count > 0 else { throw silent("no answer: \(systemErrorText())") }
            bytes += piece.prefix(count)
        }
        throw silent("its answer does not end")
    }

    private func body(of answer: [UInt8]) throws -> [UInt8] {
        let gap = Array("\r\n\r\n".utf8)
        guard answer.starts(with: Array("HTTP/1.1 200 ".utf8)),
            let end = answer.indices.first(where: { answer[$0...].starts(with: gap) })
        else { throw silent("its answer is none") }
        return Array(answer[(end + gap.count)...])
    }

    private func silent(_ reason: String) -> any Error {
        Complaint.make(
            "no kiosk answers at \(path): \(reason)",
            hint: "does it run? systemctl status login-kiosk; as another user: sudo login-kiosk status",
            status: .unavailable)
    }
}
