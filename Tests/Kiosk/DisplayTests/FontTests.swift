// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Display

@Suite("Fonts") struct FontTests {
    @Test func thisMachineHasLetters() { #expect(PangoText().hasLetters) }

    /// In a process of its own: fontconfig reads its file once.
    @Test func withoutFontsThereAreNone() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("fonts.conf")
            let head = #"<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">"#
            try "\(head)<fontconfig><dir>\(folder.path)</dir></fontconfig>".write(
                to: file, atomically: true, encoding: .utf8)
            unsafe setenv("FONTCONFIG_FILE", file.path, 1)
            let text = PangoText()
            // Measuring and painting go on, with frames in place of letters.
            _ = text.size(of: "login.example.com", TextStyle(24), width: 200)
            #expect(!text.hasLetters)
        }
    }
}
