// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A piece of the product, and how one input is put through it. A fault ends the process, and libFuzzer keeps the
/// input.
struct FuzzTarget: Sendable {
    let name: String
    /// The longest input, in bytes.
    var longest = 4096
    let run: @Sendable (inout Input) -> Void

    static let all =
        [
            code, text, settings, sealed, pipes, grids, pictures, streams, keys, touch, json, points, replies,
            conversation,
        ]

    fileprivate static let chosen = Mutex<FuzzTarget?>(nil)
}

/// Takes the target's name from the first argument, and leaves the others to libFuzzer.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> CInt {
    guard let list = unsafe arguments.pointee else { usage() }
    if unsafe count.pointee > 1, let first = unsafe list[1], choose(unsafe String(cString: first)) {
        // libFuzzer starts the program again to merge corpora, without this argument.
        unsafe setenv("FUZZ_TARGET", first, 1)
        for index in 1..<Int(unsafe count.pointee) { unsafe list[index] = unsafe list[index + 1] }
        unsafe count.pointee -= 1
    } else if let name = unsafe getenv("FUZZ_TARGET"), choose(unsafe String(cString: name)) {
    } else {
        usage()
    }
    return 0
}

private func choose(_ name: String) -> Bool {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return false }
    FuzzTarget.chosen.withLock { $0 = target }
    return true
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = FuzzTarget.chosen.withLock({ $0 }), count <= target.longest else { return -1 }
    var input = Input(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    target.run(&input)
    return 0
}

private func usage() -> Never {
    let names = FuzzTarget.all.map { $0.name }.joined(separator: " ")
    print("usage: fuzz TARGET [libFuzzer's options] [CORPUS...]\ntargets: \(names)")
    exit(64)
}

/// Ends the process when what must always hold does not.
func expect(_ holds: Bool, _ promise: @autoclosure () -> String) {
    if !holds { fatalError("broken: \(promise())") }
}

/// Unwraps what a target makes of its own constants.
func sure<Value>(_ value: Value?) -> Value {
    guard let value else { fatalError("a target's own constant is invalid") }
    return value
}

/// The bytes of one input, taken from the front. Past the end there are zeros.
struct Input {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }
    var rest: [UInt8] { Array(bytes) }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
    mutating func number(below bound: Int) -> Int { Int(byte()) % bound }
    mutating func word() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    mutating func take(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// Takes a piece with its length before it.
    mutating func piece() -> [UInt8] { take(Int(word())) }
}
