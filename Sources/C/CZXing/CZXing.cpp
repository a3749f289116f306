// SPDX-License-Identifier: Apache-2.0
#include "CZXing.h"

// The library's new interface, where texts are UTF-8.
#define ZX_USE_UTF8
#include <ZXing/ReadBarcode.h>
#include <algorithm>
#include <cstdlib>

// zxing-cpp 1.4 (Debian 12) has the one, 2.3 (Debian 13) the other under a new name.
#if __has_include(<ZXing/ReaderOptions.h>)
using ReaderOptions = ZXing::ReaderOptions;
#else
using ReaderOptions = ZXing::DecodeHints;
#endif

static ZXing::Binarizer binarizer_of(czxing_binarizer binarizer) {
    switch (binarizer) {
    case CZXING_GLOBAL_HISTOGRAM: return ZXing::Binarizer::GlobalHistogram;
    case CZXING_BLACK_AND_WHITE: return ZXing::Binarizer::FixedThreshold;
    default: return ZXing::Binarizer::LocalAverage;
    }
}

int czxing_read(
    const uint8_t *luma, int width, int height, int stride, czxing_binarizer binarizer, int tries_more,
    czxing_symbol *symbols, int capacity, uint8_t *payloads, size_t payload_capacity) {
    // No C++ exception may reach Swift.
    try {
        auto options = ReaderOptions()
                           .setFormats(ZXing::BarcodeFormat::QRCode)
                           .setBinarizer(binarizer_of(binarizer))
                           .setTryRotate(tries_more != 0)
                           .setTryDownscale(tries_more != 0)
                           .setMaxNumberOfSymbols(static_cast<uint8_t>(capacity));
#if __has_include(<ZXing/ReaderOptions.h>)
        // Version 1.4 never reads inverted pictures by itself. The scanner does that, and counts what it costs.
        options.setTryInvert(tries_more != 0);
#endif
        auto view = ZXing::ImageView(luma, width, height, ZXing::ImageFormat::Lum, stride);
        int count = 0;
        size_t used = 0;
        for (const auto &result : ZXing::ReadBarcodes(view, options)) {
            const auto &bytes = result.bytes();
            if (!result.isValid() || count == capacity || bytes.size() > payload_capacity - used) continue;
            auto &symbol = symbols[count++];
            symbol.offset = used;
            symbol.length = bytes.size();
            std::copy(bytes.begin(), bytes.end(), payloads + used);
            used += bytes.size();
            for (int corner = 0; corner < 4; corner++) {
                symbol.x[corner] = result.position()[corner].x;
                symbol.y[corner] = result.position()[corner].y;
            }
            symbol.is_mirrored = result.isMirrored() ? 1 : 0;
            symbol.part = result.sequenceIndex();
            symbol.parts = result.sequenceSize();
            symbol.parity = std::atoi(result.sequenceId().c_str());
        }
        return count;
    } catch (...) {
        return -1;
    }
}
