// SPDX-License-Identifier: Apache-2.0

import CZBar
public import KioskPorts
import LoginValues

/// zbar on the frame as it is.
///
/// Its settings are rules, not tastes: QR codes only (others cost time, and some of their decoders have had holes);
/// binary (or zbar guesses character sets and changes bytes); no cache (with it, a single code of a structured-append
/// set ends the process by a failed assertion); only results of type QR code (an incomplete set has another type, and a
/// truncated text); the reported length, because payloads may contain zero bytes.
@safe public struct ZBarDecoder: ~Copyable, SymbolDecoder {
    private let scanner: OpaquePointer
    private let image: OpaquePointer
    // zbar supports no stride: rows with a gap are packed here.
    private let packed = LumaBuffer()

    public init() {
        guard let scanner = unsafe zbar_image_scanner_create(), let image = unsafe zbar_image_create() else {
            preconditionFailure("no memory for zbar")
        }
        // Safe: both are owned by this value alone and destroyed by its deinit.
        unsafe self.scanner = scanner
        unsafe self.image = image
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
        unsafe zbar_image_scanner_enable_cache(scanner, 0)
        unsafe zbar_image_set_format(image, ZBarDecoder.y800)
    }

    deinit {
        unsafe zbar_image_destroy(image)
        unsafe zbar_image_scanner_destroy(scanner)
    }

    public mutating func symbols(in frame: borrowing Frame) -> [Symbol] {
        sortedByCentre(found(in: frame))
    }

    /// Symbols in zbar's order, with positions in pixels of `frame`.
    mutating func found(in frame: borrowing Frame) -> [Symbol] {
        if frame.stride == frame.width { return scan(frame) }
        let (width, stride) = (frame.width, frame.stride)
        packed.make(width: width, height: frame.height, from: frame) { y, source, target in
            var x = 0
            while x + 16 <= width {
                target.store(source.block(at: y * stride + x), at: y * width + x)
                x += 16
            }
            while x < width {
                target[y * width + x] = source[y * stride + x]
                x += 1
            }
        }
        return packed.withFrame(captured: frame.captured) { scan($0) }
    }

    private func scan(_ frame: borrowing Frame) -> [Symbol] {
        unsafe zbar_image_set_size(image, UInt32(frame.width), UInt32(frame.height))
        let count = frame.width * frame.height
        return unsafe frame.withUnsafePixels { pixels in
            // Safe: zbar only reads the pixels, and forgets them below, before the frame goes.
            unsafe zbar_image_set_data(image, pixels.baseAddress, UInt(count), nil)
            defer {
                unsafe zbar_image_set_symbols(image, nil)
                unsafe zbar_image_set_data(image, nil, 0, nil)
            }
            guard unsafe zbar_scan_image(scanner, image) > 0 else { return [] }
            var symbols: [Symbol] = []
            // Safe: the results live until the image forgets its symbols.
            var next = unsafe zbar_image_first_symbol(image)
            while let result = unsafe next {
                if let symbol = unsafe symbol(result, in: frame) { symbols.append(symbol) }
                unsafe next = unsafe zbar_symbol_next(result)
            }
            return symbols
        }
    }

    @unsafe private func symbol(_ result: OpaquePointer, in frame: borrowing Frame) -> Symbol? {
        guard unsafe zbar_symbol_get_type(result) == ZBAR_QRCODE, let data = unsafe zbar_symbol_get_data(result) else {
            return nil
        }
        let count = unsafe Int(zbar_symbol_get_data_length(result))
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count)
        let corners = unsafe (0..<zbar_symbol_get_loc_size(result)).map { index in
            (x: unsafe Int(zbar_symbol_get_loc_x(result, index)), y: unsafe Int(zbar_symbol_get_loc_y(result, index)))
        }
        // A text that was joined from several codes lists them as its components; an undivided one lists none.
        var parts = 0
        var component = unsafe zbar_symbol_first_component(result)
        while unsafe component != nil {
            parts += 1
            unsafe component = unsafe zbar_symbol_next(component)
        }
        return Symbol(
            payload: unsafe SecretBytes(copying: bytes), parts: max(parts, 1),
            sighting: SymbolSighting(corners: corners, in: frame))
    }

    /// The four letters "Y800": eight bits of luma a pixel.
    private static let y800: UInt = 0x3030_3859
}

/// Orders by the distance of the symbol from the frame's centre.
func sortedByCentre(_ symbols: [Symbol]) -> [Symbol] {
    symbols.sorted { $0.sighting.squaredDistanceFromCentre < $1.sighting.squaredDistanceFromCentre }
}
