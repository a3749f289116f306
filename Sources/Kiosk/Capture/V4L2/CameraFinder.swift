// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Finds the device that a request means, and opens it.
struct CameraFinder: Sendable {
    let request: CameraRequest
    let files: DeviceFiles
    let system: any VideoSystem

    /// - Parameter known: how the camera that was open before described itself: a free choice goes to it again, and
    ///   another one in its place is an error.
    func open(again known: String? = nil) throws(FrameSourceError) -> VideoDevice {
        let device = try find(known)
        if let known, device.identity.description != known {
            throw CameraFault.exchanged(request.place, known, device.identity)
        }
        return device
    }

    private func find(_ known: String?) throws(FrameSourceError) -> VideoDevice {
        switch request.which {
        case .node(let path): return try VideoDevice(opening: path, files: files, system: system)
        case .named(let name):
            if let link = files.link(named: name) {
                return try VideoDevice(opening: link, files: files, system: system)
            }
            return try open { $0.name.lowercased().contains(name.lowercased()) }
        case .any:
            if let known, let device = try? openFirst({ $0.description == known }) { return device }
            return try openFirst { _ in true }
        }
    }

    private func openFirst(_ isWanted: (CameraIdentity) -> Bool) throws(FrameSourceError) -> VideoDevice {
        var refusal: FrameSourceError?
        for node in files.videoNodes() {
            do throws(FrameSourceError) {
                let device = try VideoDevice(opening: node, files: files, system: system)
                guard isWanted(device.identity) else { continue }
                return device
            } catch {
                // The reason that says most: a camera that is there and cannot be had.
                if error.code != .notFound, refusal?.code != .inUse { refusal = error }
            }
        }
        throw refusal ?? CameraFault.missing(request.place)
    }

    /// The only camera that is wanted.
    private func open(_ isWanted: (CameraIdentity) -> Bool) throws(FrameSourceError) -> VideoDevice {
        var fitting: [String] = []
        for node in files.videoNodes() {
            guard let device = try? VideoDevice(opening: node, files: files, system: system),
                isWanted(device.identity)
            else { continue }
            fitting.append(files.links(to: node).first ?? node)
        }
        guard let path = fitting.first else { throw CameraFault.missing(request.place) }
        guard fitting.count == 1 else {
            throw FrameSourceError(
                .invalidSource, at: request.place, problem: "fits several cameras",
                remedy: "name one of: \(fitting.joined(separator: ", "))")
        }
        return try VideoDevice(opening: path, files: files, system: system)
    }
}
