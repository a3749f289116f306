// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Glibc
import LinuxSystem

extension AsyncParsableCommand {
    /// Runs the command of the process's arguments, and ends the process when it fails. Called on the main thread,
    /// before there is another, because its settings affect all threads.
    @MainActor
    public static func start() async {
        ProgramStart.prepare()
        StopSignals.hold()
        // Any command may hold a PIN, a token or a key. If the kernel refuses, there are no secrets yet.
        _ = ProcessMemory.keepPrivate()
        do {
            try requireArguments()
            try requireKnownCommand()
            var command = try parseAsRoot()
            if !(command is any LastingCommand) { StopSignals.release() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Output.finish()
        } catch {
            end(with: error)
        }
    }

    /// Ends the process with help, or with a complaint in the usual form.
    private static func end(with error: any Error) -> Never {
        let text = message(for: error)
        // Help, or a complaint that was already printed.
        guard !exitCode(for: error).isSuccess, !text.isEmpty else { exit(withError: error) }
        // The parser's last line is: See 'login-kiosk trust add --help' for more information.
        let last = fullMessage(for: error).split(separator: "\n").last?.split(separator: "'") ?? []
        let hint = last.count == 3 && last[0] == "  See " ? "see \(last[1])" : nil
        let isWord = text.dropFirst().first?.isLowercase == true
        Complaint.say(isWord ? text.prefix(1).lowercased() + text.dropFirst() : text, hint: hint)
        exit(withError: exitCode(for: error))
    }

    /// - Throws: a complaint when the first argument is not a command, with the most similar command.
    private static func requireKnownCommand() throws {
        var names = [Complaint.program]
        var command: any ParsableCommand.Type = Self.self
        for word in CommandLine.arguments.dropFirst() {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                let all = names.joined(separator: " ")
                let nearest = Spelling(commands.map { $0._commandName }).nearest(to: word)
                throw Complaint.make(
                    "\(word): there is no such command",
                    hint: nearest.map { "did you mean: \(all) \($0)" } ?? "see what there is: \(all) --help",
                    status: .usage)
            }
            names.append(word)
            command = next
        }
    }

    /// Refuses to start without the process's arguments. Otherwise every program would start without any, and serve or
    /// log in with its defaults. Swift looks for them beside the environment, and finds none when a preloaded library
    /// has moved that.
    private static func requireArguments() throws {
        guard let words = ProgramStart.arguments() else {
            throw Complaint.make(
                "the arguments cannot be read: \(systemErrorText())", hint: "mount /proc: mount -t proc proc /proc",
                status: .unavailable)
        }
        // A loader that is named on the command line comes before the program.
        let own = CommandLine.arguments
        guard own.isEmpty || !words.suffix(own.count).elementsEqual(own) else { return }
        throw Complaint.make(
            "the arguments are lost: a preloaded library has changed the environment",
            hint: "start it without LD_PRELOAD, and see /etc/ld.so.preload", status: .unavailable)
    }
}
