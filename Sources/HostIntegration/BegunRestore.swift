// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import LinuxSystem

/// What is left to do of a restore, noted before the first step.
///
/// A kiosk's files lie in three directories, and no system call changes all of them at once. So everything new lies
/// beside the old, complete and on the disk, before this note is written; from then on the new counts. What is left are
/// names to be exchanged, which needs no room and may be done twice. A start that finds the note does it before it
/// reads anything else.
///
/// The note lies beside the settings: who may write there may write these. The mark lies beside the identities, so that
/// the kiosk's own user can say that nothing is left to do where the settings are root's.
public struct BegunRestore: Codable, Sendable, Equatable {
    public enum Step: Codable, Sendable, Equatable {
        case move(from: String, to: String)
        case remove(String)
    }

    private var version = 1
    /// Whose identities and keys are.
    public let owner: ActingUser
    /// There until every step is done.
    public let mark: String
    /// Done as the user who runs the restore.
    public let settings: [Step]
    /// Of keys and identities, done as their owner.
    public let own: [Step]

    public init(owner: ActingUser, state: String, settings: [Step], own: [Step]) {
        self.owner = owner
        mark = "\(state)/restore-begun"
        self.settings = settings
        self.own = own
    }

    /// One name is exchanged in one step, of which nothing has to be noted.
    public var needsNote: Bool { settings.count + own.count > 1 }

    private static let maximumLength = 1 << 20
    private static func note(_ configuration: String) -> String { "\(configuration)/restore-begun" }

    /// - Parameter configuration: the directory of the settings.
    /// - Returns: nil where nothing is left to do.
    public static func find(in configuration: String) throws(FileFault) -> BegunRestore? {
        let path = note(configuration)
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(path, upTo: maximumLength) } catch {
            // A directory that is not there, or whose owner is wrong, is for the reader of the settings to tell.
            guard error.cause != .missing, FileManager.default.fileExists(atPath: path) else { return nil }
            throw error
        }
        guard let begun = try? JSONDecoder().decode(BegunRestore.self, from: Data(bytes)), begun.version == 1 else {
            throw FileFault(.refused(EINVAL), path: path)
        }
        return unsafe access(begun.mark, F_OK) == 0 ? begun : nil
    }

    /// Has the restore count from now on. Everything that it moves has to be there.
    ///
    /// - Parameter atStep: called before each change, by tests.
    public func commit(in configuration: String, atStep: () throws -> Void = {}) throws {
        let note = BegunRestore.note(configuration)
        // Of a restore that the kiosk's own user ended: with a new mark it would be begun again.
        try atStep()
        try OwnedFile.remove(note)
        try atStep()
        try owner.act { try OwnedFile.replace(mark, with: [], mode: 0o600) }
        try atStep()
        try OwnedFile.replace(note, with: Array(try JSONEncoder().encode(self)), mode: 0o644)
    }

    /// Does what is left to do.
    ///
    /// - Throws: ``FileFault`` where a step is not permitted; the next call goes on with it.
    public func finish(in configuration: String, atStep: () throws -> Void = {}) throws {
        if !settings.isEmpty { try OwnedFile.judge(configuration, .unaltered, .directory) }
        for step in settings {
            try atStep()
            try BegunRestore.take(step)
        }
        try owner.act {
            for step in own + [.remove(mark)] {
                try atStep()
                try BegunRestore.take(step)
            }
        }
        try atStep()
        // It means nothing any more; where it is root's the next restore takes it away.
        try? OwnedFile.remove(BegunRestore.note(configuration))
        try? FileManager.default.removeItem(atPath: BegunRestore.stage(configuration))
    }

    private static func take(_ step: Step) throws(FileFault) {
        switch step {
        case .move(let from, let to): try OwnedFile.move(from, to: to)
        case .remove(let path): try OwnedFile.remove(path)
        }
    }

    /// Where new settings lie until they count.
    public static func stage(_ configuration: String) -> String { "\(configuration)/restore" }

    /// Makes that place anew. Readers of the settings may look into it: each file has a mode of its own.
    public static func makeStage(_ configuration: String) throws {
        try? FileManager.default.removeItem(atPath: stage(configuration))
        for path in [stage(configuration), stage(configuration) + "/config.d", "\(configuration)/config.d"]
        where unsafe access(path, F_OK) != 0 {
            try OwnedFile.makeDirectory(path)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }
}
