// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation

/// Draws the view that a display process got, and compares it with a picture of the panel. For the device tests.
struct PanelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "panel", abstract: "Compare a panel's picture with the last view that its process was sent.",
        discussion: """
            ORDERS is what went to login-kiosk-display. Without a PICTURE this prints the view's keys with their \
            middle on the panel, as it is built:

                enter 200 400 OK
            """)

    @Argument(help: "A file with the orders to the display.") var orders: String
    @Argument(help: "The panel's size in pixels, as it is built: 800x480.") var size: String
    @Argument(help: "A picture of the panel, as QEMU writes it (PPM).") var picture: String?

    func run() async throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw ValidationError("\(size): expected a size such as 800x480") }
        let panel: DrawnPanel
        do { panel = try DrawnPanel(orders: [UInt8](read(orders)), width: sides[0], height: sides[1]) } catch {
            throw Complaint.make("\(orders): \(error)", status: .dataError)
        }
        guard let picture else {
            for line in panel.keys { print(line) }
            return
        }
        guard let shown = PortablePixmap(try read(picture)), shown.width == sides[0], shown.height == sides[1] else {
            throw Complaint.make("\(picture) is not a picture of \(size) pixels", status: .dataError)
        }
        if let difference = panel.difference(from: shown) {
            throw Complaint.make("the panel does not show \"\(panel.title)\": \(difference)", status: .internalError)
        }
        print("the panel shows \"\(panel.title)\"")
    }

    private func read(_ path: String) throws -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw Complaint.make("\(path) cannot be read", status: .noInput)
        }
    }
}
