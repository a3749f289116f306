// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The device files and links below `/dev`, and their attributes in `/sys`.
///
/// The folders are found below `root`, so that a test can bring its own.
struct DeviceFiles: Sendable {
    /// In the order in which their names are preferred: the place of the plug cannot be taken by another camera.
    private static let linkFolders = ["/dev/v4l/by-path", "/dev/v4l/by-id"]

    private let root: String

    init(root: String = "") {
        self.root = root
    }

    /// `/dev/video0`, `/dev/video1` and so on, by their numbers.
    func videoNodes() -> [String] {
        entries("/dev").compactMap { name -> Int? in
            guard name.hasPrefix("video") else { return nil }
            return Int(name.dropFirst(5))
        }.sorted().map { "\(root)/dev/video\($0)" }
    }

    /// The stable names of a node, the best first.
    func links(to node: String) -> [String] {
        DeviceFiles.linkFolders.flatMap { folder in
            entries(folder).sorted().map { "\(root)\(folder)/\($0)" }
        }.filter { resolved($0) == resolved(node) }
    }

    /// The link of that name, if udev has made one.
    func link(named name: String) -> String? {
        guard !name.contains("/") else { return nil }
        return DeviceFiles.linkFolders.map { "\(root)\($0)/\(name)" }.first { resolved($0) != nil }
    }

    /// The target of a path, if it exists.
    func resolved(_ path: String) -> String? {
        // Safe: with no buffer given, realpath returns one that is ours to free.
        guard let target = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(target) }
        return unsafe String(cString: target)
    }

    /// USB vendor and product, and the serial number, of the device behind a node.
    func usb(_ node: String) -> (id: String, serial: String?)? {
        guard let name = resolved(node)?.split(separator: "/").last else { return nil }
        // The node belongs to an interface; the numbers belong to the device that has it.
        let device = "\(root)/sys/class/video4linux/\(name)/device/.."
        guard let vendor = line(device + "/idVendor"), let product = line(device + "/idProduct") else { return nil }
        return ("\(vendor):\(product)", line(device + "/serial"))
    }

    private func line(_ path: String) -> String? {
        guard let bytes = try? CappedFile.read(path) else { return nil }
        return String(decoding: bytes.prefix(256).prefix { $0 != 0x0A }, as: UTF8.self)
    }

    private func entries(_ folder: String) -> [String] {
        (try? DirectoryEntries.names(in: root + folder)) ?? []
    }
}
