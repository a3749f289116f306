// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Finds the device of a request, and opens it.
struct CameraFinder: Sendable {
    let request: CameraRequest
    let files: DeviceFiles
    let system: any VideoSystem

    /// - Parameter known: the description of the camera that was open before. If no camera was named, this one is
    ///   chosen again. Another camera in its place is an error.
    func open(again known: String? = nil) throws(FrameSourceError) -> VideoDevice {
        let device = try find(known)
        if let known, device.identity.description != known {
            throw CameraFault.exchanged(request.place, known, device.identity)
        }
        return device
    }

    /// Starts the device of the request; if no camera was named, the first one that starts.
    ///
    /// - Parameters:
    ///   - known: as for ``open(again:)``.
    ///   - avoided: formats that come last. A camera with no other format comes last, too.
    /// - Returns: the stream, and descriptions of the cameras that were passed over; nil when there was no choice.
    func start(
        again known: String? = nil, avoiding avoided: AvoidedFormats = AvoidedFormats()
    ) throws(FrameSourceError) -> (stream: VideoStream, passedOver: [String]?) {
        guard request.which == .any, known == nil else {
            return (try VideoStream(starting: try open(again: known), request.settings, avoiding: avoided), nil)
        }
        var (refusals, failures): ([Refusal], [Refusal]) = ([], [])
        var candidates = candidates(avoided, &refusals)
        var next = 0
        while next < candidates.count {
            var candidate = candidates[next]
            next += 1
            do throws(FrameSourceError) {
                let device = try VideoDevice(opening: candidate.path, files: files, system: system)
                let stream = try VideoStream(starting: device, request.settings, avoiding: avoided)
                // Its driver answers every request with a size that was already tried.
                if !candidate.isExhausted, avoided.contains(stream.format, at: candidate.path) {
                    stream.close()
                    candidate.isExhausted = true
                    candidates.append(candidate)
                    continue
                }
                let failed = refusals.filter(\.isOfCamera) + failures
                return (stream, CameraFinder.passedOver(for: candidate, candidates[next...], failed))
            } catch {
                // A camera in use is awaited, and only the operator can change a setting that the camera does not have.
                guard [.unreadable, .unsupportedFormat, .notFound].contains(error.code) else { throw error }
                if error.code != .notFound { failures.append(Refusal(candidate.index, candidate.name, error)) }
            }
        }
        throw error(failures, refusals)
    }

    /// The reasons why other cameras were passed over, by the numbers of these.
    private static func passedOver(
        for chosen: Candidate, _ rest: ArraySlice<Candidate>, _ failed: [Refusal]
    ) -> [String] {
        let earlier = rest.filter { $0.index < chosen.index }.map { (index: $0.index, text: $0.reason) }
        let others = earlier + failed.map { (index: $0.index, text: $0.text) }
        return others.sorted { $0.index < $1.index }.map(\.text)
    }

    /// - Parameters:
    ///   - failures: of cameras that did not start.
    ///   - refusals: of devices that could not be opened.
    private func error(_ failures: [Refusal], _ refusals: [Refusal]) -> FrameSourceError {
        // The fault of a camera that does not start helps most, then that of one that cannot be opened.
        let told = failures + refusals.filter(\.isOfCamera)
        guard let first = told.first ?? refusals.first else { return CameraFault.missing(request.place) }
        let also = told.dropFirst().map { "; \($0.text)" }.joined()
        return FrameSourceError(
            first.error.code, at: first.error.place, problem: first.error.problem + also, remedy: first.error.remedy)
    }

    /// A camera that may be chosen if none was named.
    private struct Candidate {
        let path: String
        /// Its place among all device files.
        let index: Int
        let identity: CameraIdentity
        let isInfrared: Bool
        /// Whether all of its formats are avoided.
        var isExhausted: Bool
        let faults: [String]

        var name: String { "\(identity.name) (\(path))" }

        /// The reason why another camera is preferred.
        var reason: String {
            let reasons = (isInfrared ? ["sees infrared light only"] : []) + faults
            return "\(name): \(reasons.joined(separator: ", "))"
        }
    }

    /// A device that could not be opened or started.
    private struct Refusal {
        let index: Int
        let error: FrameSourceError
        let text: String
        /// Whether the refused device is a camera: opening any other device fails with `.unsupportedFormat`.
        var isOfCamera: Bool { error.code != .unsupportedFormat }

        init(_ index: Int, _ name: String, _ error: FrameSourceError) {
            (self.index, self.error) = (index, error)
            text = "\(name): \(error.problem)"
        }
    }

    /// The cameras, the likeliest first: those for people's eyes, by their numbers.
    private func candidates(_ avoided: AvoidedFormats, _ refusals: inout [Refusal]) -> [Candidate] {
        var ranked: [(candidate: Candidate, rank: [Int])] = []
        for (index, node) in files.videoNodes().enumerated() {
            do throws(FrameSourceError) {
                let device = try VideoDevice(opening: node, files: files, system: system)
                let formats = device.offeredFormats()
                let candidate = Candidate(
                    path: node, index: index, identity: device.identity,
                    isInfrared: device.identity.isInfrared || formats.allSatisfy { $0.code.isGrey },
                    isExhausted: formats.allSatisfy { avoided.contains($0, at: node) },
                    faults: avoided.texts(at: node))
                let rank = [
                    candidate.isExhausted ? 1 : 0, candidate.isInfrared ? 1 : 0, avoided.count(at: node), index,
                ]
                ranked.append((candidate, rank))
            } catch {
                if error.code != .notFound { refusals.append(Refusal(index, node, error)) }
            }
        }
        return ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.candidate)
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
                // The most useful reason: a camera that exists but cannot be opened.
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
