// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts
import LinuxSystem

extension VideoDevice {
    /// Formats that are tried before the camera is treated as broken.
    private static let attempts = 4

    /// Sets the best format that the camera takes.
    ///
    /// - Parameter avoided: formats that come last.
    /// - Returns: the driver's answer: it may change size and format, and contains the length of a row.
    borrowing func negotiate(
        _ settings: CameraSettings, avoiding avoided: AvoidedFormats = AvoidedFormats()
    ) throws(FrameSourceError) -> DeliveredFormat {
        let ranked = try rankedFormats(for: settings)
        let others = ranked.filter { !avoided.contains($0, at: path) }
        // The best format is requested again at the end, in case the driver answers all others with avoided formats.
        let last = ranked.filter { avoided.contains($0, at: path) } + ranked.prefix(1)
        var refusals: [FrameSourceError] = []
        for (index, format) in (others + last).enumerated() where refusals.count < VideoDevice.attempts {
            do throws(SystemFailure) {
                let answer = try set(format)
                if index < others.count, avoided.contains(answer, at: path) { continue }
                setRate(format.rate)
                return answer
            } catch {
                let problem = CameraFault.error(error, at: path, trying: "accept the format \(format)")
                // A camera that is gone or busy is so for every format.
                guard problem.code == .unreadable else { throw problem }
                refusals.append(problem)
            }
        }
        throw refusals.first ?? CameraFault.missing(path)
    }

    /// The formats that can be read and were asked for, the best first, each size once.
    private borrowing func rankedFormats(for settings: CameraSettings) throws(FrameSourceError) -> [CameraFormat] {
        let offered = offeredFormats()
        // Formats that neither this module nor the library can read are not offered. The library names only one format
        // that it can read. An operator may ask for another.
        let converted = LumaConverter.bestSource(
            number, hasForeign: offered.contains { LumaLayout($0.code) == .converted })
        let usable = offered.filter {
            LumaLayout($0.code) != .converted || $0.code == converted || $0.code == settings.format
        }
        let ranked = FormatChoice.ranked(usable, for: settings)
        guard !ranked.isEmpty else {
            let list = Set(usable.map { "\($0.code) \($0.width)x\($0.height)" }).sorted().joined(separator: ", ")
            throw FrameSourceError(
                .unsupportedFormat, at: path, problem: "offers no format that can be read, or not what was asked for",
                remedy: list.isEmpty ? "choose another camera" : "choose from: \(list)")
        }
        // Rates of one size are one attempt: the format is refused or taken without them.
        var seen: Set<CameraFormat> = []
        return ranked.filter { seen.insert(CameraFormat($0.code, width: $0.width, height: $0.height)).inserted }
    }

    private borrowing func set(_ wanted: CameraFormat) throws(SystemFailure) -> DeliveredFormat {
        var format = unsafe V4L2Format.structure(wanted.code, width: wanted.width, height: wanted.height)
        try unsafe control(UInt(cv4l2_set_format), &format)
        var answer = unsafe V4L2Format.delivered(format)
        answer.asked = CameraFormat(wanted.code, width: wanted.width, height: wanted.height)
        guard (1...Frame.maximumSide).contains(answer.width), (1...Frame.maximumSide).contains(answer.height)
        else { throw SystemFailure(ERANGE) }
        return answer
    }

    /// A camera that does not take the rate delivers at another.
    private borrowing func setRate(_ rate: Double?) {
        guard let rate, CameraQuirk.of(identity) != .refusesRate else { return }
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        // Safe: of the union the member for capturing.
        unsafe parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1000, denominator: UInt32(rate * 1000))
        try? control(UInt(cv4l2_set_parameters), &parameters)
    }
}
