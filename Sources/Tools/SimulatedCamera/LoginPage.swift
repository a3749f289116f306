// SPDX-License-Identifier: Apache-2.0

import Capture
import Encoding
import Foundation
import KioskPorts

/// Finds and fetches the QR picture of a login page, as a browser shows it.
enum LoginPage {
    static func picture(in browser: BrowserSession) async throws(BrowserError) -> Picture {
        let page = try await browser.get(browser.page)
        guard page.status == 200 else { throw unexpected(page) }
        let image = try choose(
            from: HTMLImageScanner.images(in: String(decoding: page.body, as: UTF8.self)), at: browser.page)
        let (bytes, place) = try await load(image, on: page.address, in: browser)
        do { return try Picture(decoding: bytes, from: place) } catch {
            throw BrowserError(.badPicture, at: place, problem: error.problem, remedy: error.remedy)
        }
    }

    /// The first image that is named a QR code, otherwise the only one.
    private static func choose(from images: [HTMLImage], at page: URL) throws(BrowserError) -> HTMLImage {
        if let named = images.first(where: \.isNamedQR) { return named }
        guard images.count == 1 else {
            throw BrowserError(
                .noPicture, at: page.absoluteString,
                problem: images.isEmpty
                    ? "shows no picture" : "shows \(images.count) pictures and names none of them qr",
                remedy: "give the address of a page with <img id=\"qr\">")
        }
        return images[0]
    }

    private static func load(
        _ image: HTMLImage, on page: URL, in browser: BrowserSession
    ) async throws(BrowserError) -> (bytes: [UInt8], place: String) {
        let source = image.source.trimmingCharacters(in: .whitespacesAndNewlines)
        if source.lowercased().hasPrefix("data:") {
            let place = "the picture inside \(page.absoluteString)"
            guard let comma = source.firstIndex(of: ","), source[..<comma].lowercased().hasSuffix(";base64"),
                let data = Base64.bytes(source[source.index(after: comma)...])
            else {
                throw BrowserError(
                    .badPicture, at: place, problem: "is no base64 data",
                    remedy: "write it as data:image/png;base64,...")
            }
            return (data, place)
        }
        guard let address = URL(string: source, relativeTo: page)?.absoluteURL,
            ["http", "https"].contains(address.scheme?.lowercased() ?? "")
        else {
            throw BrowserError(
                .badPicture, at: page.absoluteString, problem: "shows a picture without a web address",
                remedy: "give its <img> an http, https or data address")
        }
        let reply = try await browser.get(address)
        guard reply.status == 200 else { throw unexpected(reply) }
        return (Array(reply.body), address.absoluteString)
    }

    private static func unexpected(_ reply: BrowserReply) -> BrowserError {
        BrowserError(
            .unexpectedReply, at: reply.address.absoluteString, problem: "answers with HTTP \(reply.status)",
            remedy: "check the address")
    }
}
