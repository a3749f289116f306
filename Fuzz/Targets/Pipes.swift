// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

extension FuzzTarget {
    /// Messages of a captured scanner or display to the kiosk, and the other way.
    static let pipes = FuzzTarget(name: "pipes", longest: 70_000) { input in
        let kind = input.byte()
        var splitter = PipeMessageSplitter()
        while !input.isAtEnd {
            splitter.append(input.take(1 + Int(input.byte())).span)
            do {
                while let body = try splitter.next() {
                    switch kind % 4 {
                    case 0: try read(ScannerMessage.self, body)
                    case 1: try read(ScannerCommand.self, body)
                    case 2: try read(DisplayOrder.self, body)
                    default: try read(DisplayMessage.self, body)
                    }
                }
            } catch { return }
        }
    }

    /// Checks that a message that was read and written is read again, as the same bytes.
    private static func read<Message: PipeMessage>(_: Message.Type, _ body: SecretBytes) throws(PipeMessageError) {
        guard let message = try Message(body: body) else { return }
        let written = message.encoded()
        var splitter = PipeMessageSplitter()
        splitter.append(written.span)
        guard let again = try? splitter.next(), let second = try? Message(body: again) else {
            fatalError("broken: \(Message.self) is read after it was written")
        }
        expect(second.encoded() == written, "\(Message.self) has one form")
    }
}
