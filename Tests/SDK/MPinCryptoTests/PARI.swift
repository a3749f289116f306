// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pairing by PARI (Debian package pari-gp): a Tate pairing on the curve over Fp12, with no code and hardly a
/// formula in common with MPinCrypto.
enum PARI {
    static let isInstalled = program != nil

    private static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/gp" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    struct Failure: Error {
        var text: String
    }

    /// The values of the pairing for points of G1 (65 bytes) and G2 (128 bytes), 384 bytes each in hexadecimal.
    static func pairings(_ pairs: [(p: [UInt8], q: [UInt8])]) throws -> [String] {
        let calls = pairs.map { pair in
            let coordinates = numbers(pair.p.dropFirst()) + numbers(pair.q[...])
            return "pairing(\(coordinates.joined(separator: ", ")))"
        }
        return try run(definitions + calls.joined(separator: "\n") + "\n")
    }

    /// Fp12 is Fp[w] modulo w^12 - 2 w^6 + 2, in which i = w^6 - 1; the twist is undone by (x, y) -> (x w^2, y w^3).
    ///
    /// The optimal ate pairing is a power of the Tate pairing t(Q, P): with 6x + 2 + p - p^2 + p^3 = m r and the
    /// derivative s = 1 - 2p + 3p^2 it is the power by m - s (p^12 - 1) / r / (12 p^11) modulo r (Hess, Smart and
    /// Vercauteren, 2006; Vercauteren, 2010).
    private static let definitions = """
        x = -0x4000000003c012b1;
        p = 36*x^4 + 36*x^3 + 24*x^2 + 6*x + 1;
        r = 36*x^4 + 36*x^3 + 18*x^2 + 6*x + 1;
        m = (6*x + 2 + p - p^2 + p^3) / r;
        atePower = lift(Mod(m, r) - Mod(1 - 2*p + 3*p^2, r) * ((p^12 - 1) / r) / Mod(12*p^11, r));
        w = ffgen((w^12 - 2*w^6 + 2) * Mod(1, p), 'w);
        i = w^6 - 1;
        curve = ellinit([0*w, 0*w + 2]);
        padded(n) = concat([if(d < 10, Str(d), Strchr(87 + d)) | d <- digits(n + 16^64, 16)[2..-1]]);
        pairing(px, py, xre, xim, yre, yim) = {
          my(P = [0*w + px, 0*w + py], Q = [(xre + xim*i) * w^2, (yre + yim*i) * w^3]);
          if(!ellisoncurve(curve, P) || !ellisoncurve(curve, Q), error("not on the curve"));
          my(value = (elltatepairing(curve, Q, P, r)^((p^12 - 1) / r))^atePower);
          my(c = Vecrev(lift(value.pol), 12));
          for(n = 1, 6, my(k = [0, 3, 1, 4, 2, 5][n]);
            print1(padded((c[k + 1] + c[k + 7]) % p), padded(c[k + 7])));
          print();
        };

        """

    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [String] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: 32).map { start in
            "0x" + bytes[start..<start + 32].map { String(format: "%02x", $0) }.joined()
        }
    }

    /// The lines printed by a script.
    private static func run(_ script: String) throws -> [String] {
        guard let program else { throw Failure(text: "there is no gp on PATH") }
        let file = FileManager.default.temporaryDirectory.appending(path: "pairing-\(UUID().uuidString).gp")
        try script.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--quiet", "--fast", "--default", "parisizemax=200000000", file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map(String.init)
        guard process.terminationStatus == 0, !text.contains("***") else { throw Failure(text: text) }
        return lines
    }
}
