// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Testing

@testable import PersonalCards

@Suite("The fleet key in a file")
struct FleetKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "fleet-key-\(UUID().uuidString)").path

    private func write(_ count: Int, mode: Int = 0o600) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let path = "\(folder)/fleet.key"
        try Data(repeating: 7, count: count).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    /// Computed with Python's `hmac`, because printed cards outlive this program.
    @Test func signsMenuCards() throws {
        let key = try #require(FleetKey(SecretBytes(copying: [UInt8](repeating: 7, count: 32))))
        let card = "login-kiosk:door/Main%20entrance"
        #expect(key.signature(ofMenuCard: card) == "a4dce5884f49799f50f3b88868611caa")
        #expect(key.signature(ofMenuCard: card + "?") != "a4dce5884f49799f50f3b88868611caa")
    }

    @Test func isTheSameEverywhere() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = try FleetKey(file: try write(32))
        let same = try #require(FleetKey(SecretBytes(copying: [UInt8](repeating: 7, count: 32))))
        let card = try PersonalCardTests.card()
        #expect(PersonalCardTests.read(try PersonalCardTests.text(card, key), same) == .success(card))
    }

    @Test(arguments: [0, 31, 33, 64]) func hasItsLength(_ count: Int) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try write(count)
        let error = #expect(throws: FleetKeyError.self) { try FleetKey(file: path) }
        #expect(error?.description == "the fleet key \(path) must be a file of exactly 32 bytes")
    }

    @Test func isOpenToNobodyElse() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try write(32, mode: 0o644)
        let error = #expect(throws: FleetKeyError.self) { try FleetKey(file: path) }
        guard case .file(let fault) = error else { return #expect(Bool(false), "no fault of the file") }
        #expect(fault.isExposure && error?.hint.contains("chmod 600") == true)
    }

    @Test func hasToBeThere() throws {
        let error = #expect(throws: FleetKeyError.self) { try FleetKey(file: "\(folder)/none/fleet.key") }
        guard case .file(let fault) = error else { return #expect(Bool(false), "no fault of the file") }
        #expect(fault.cause == .missing)
    }
}
