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

    /// Starts the device that is meant; of a free choice the first one that starts.
    ///
    /// - Parameters:
    ///   - known: as for ``open(again:)``.
    ///   - avoided: formats that come last. A camera that has no other comes last, too.
    func start(
        again known: String? = nil, avoiding avoided: AvoidedFormats = AvoidedFormats()
    ) throws(FrameSourceError) -> VideoStream {
        guard request.which == .any, known == nil else {
            return try VideoStream(starting: try open(again: known), request.settings, avoiding: avoided)
        }
        var (refusal, failure): (FrameSourceError?, FrameSourceError?)
        for node in candidates(avoided, &refusal) {
            do throws(FrameSourceError) {
                let device = try VideoDevice(opening: node, files: files, system: system)
                return try VideoStream(starting: device, request.settings, avoiding: avoided)
            } catch {
                // A camera in use is waited for, and a setting that it does not have is the operator's to change.
                guard [.unreadable, .unsupportedFormat, .notFound].contains(error.code) else { throw error }
                if error.code != .notFound { failure = failure ?? error }
            }
        }
        // A camera that does not start says more than a device that is none.
        throw failure ?? refusal ?? CameraFault.missing(request.place)
    }

    /// The device files of cameras, the likeliest first: those for people's eyes, by their numbers.
    private func candidates(_ avoided: AvoidedFormats, _ refusal: inout FrameSourceError?) -> [String] {
        var ranked: [(path: String, rank: [Int])] = []
        for (index, node) in files.videoNodes().enumerated() {
            do throws(FrameSourceError) {
                let device = try VideoDevice(opening: node, files: files, system: system)
                let formats = device.offeredFormats()
                let isExhausted = formats.allSatisfy { avoided.contains($0.code, $0.width, $0.height, at: node) }
                let isInfrared = device.identity.isInfrared || formats.allSatisfy { $0.code.isGrey }
                let rank = [isExhausted ? 1 : 0, isInfrared ? 1 : 0, avoided.count(at: node), index]
                ranked.append((node, rank))
            } catch {
                // The reason that says most: a camera that is there and cannot be had.
                if error.code != .notFound, refusal?.code != .inUse { refusal = error }
            }
        }
        return ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.path)
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
