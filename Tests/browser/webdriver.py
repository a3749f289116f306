# SPDX-License-Identifier: Apache-2.0
"""A browser, driven through the W3C WebDriver protocol, with nothing but Python's own library."""

import base64
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from patience import patience


class Browser:
    """A headless Chromium. Calls go to the window that was switched to last."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="login-kiosk-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                port = found.group(1)
                break
        if port is None:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{port}"
        arguments = [
            "--headless=new", f"--user-data-dir={self.profile.name}", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-gpu",
            "--disable-backgrounding-occluded-windows", "--disable-background-timer-throttling",
            "--disable-renderer-backgrounding",
        ]
        if os.geteuid() == 0:
            # Chromium's own sandbox refuses to run as root.
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = None
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = answer["sessionId"]

    def _call(self, method, path, body=None):
        place = self.base + (f"/session/{self.session}" if self.session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(place, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {json.load(error)['value']['message']}") from None

    def window(self):
        return self._call("GET", "/window")

    def new_window(self):
        return self._call("POST", "/window/new", {"type": "window"})["handle"]

    def switch(self, handle):
        self._call("POST", "/window", {"handle": handle})

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def forget(self):
        """Drops the cookies, as a private window that is closed and opened again."""
        self.command("Network.clearBrowserCookies")

    def run(self, script, *arguments):
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, selector):
        """Clicks an element as a mouse does, also where scripts are off."""
        element = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self._call("POST", f"/element/{next(iter(element.values()))}/click", {})

    def resize(self, width, height):
        """Sets the size of the page itself."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)

    def command(self, name, **parameters):
        """A command of Chromium's own protocol."""
        return self._call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def picture(self):
        """The page as a PNG file."""
        return base64.b64decode(self._call("GET", "/screenshot"))

    def part(self, left, top, width, height, scale):
        """A part of the page as a PNG file in base64, made larger or smaller."""
        clip = {"x": left, "y": top, "width": width, "height": height, "scale": scale}
        return self.command("Page.captureScreenshot", format="png", clip=clip)["data"]

    def difference(self, one, other, places):
        """The difference between the light of two JPEG files outside some places (left, top, width, height), in squares of 16 by 16
        pixels: the mean, of 255, and the share of squares that differ by a quarter. None for files of different sizes."""
        return self.run("""
            const places = arguments[1];
            return Promise.all(arguments[0].map(async (data) => {
              const image = Object.assign(new Image(), { src: "data:image/jpeg;base64," + data });
              await image.decode();
              const [width, height] = [image.width, image.height].map((side) => Math.ceil(side / 16));
              const whole = new OffscreenCanvas(image.width, image.height);
              const paint = whole.getContext("2d");
              paint.drawImage(image, 0, 0);
              for (const place of places) paint.fillRect(...place);
              const context = new OffscreenCanvas(width, height).getContext("2d");
              context.imageSmoothingQuality = "high";
              context.drawImage(whole, 0, 0, width, height);
              const bytes = context.getImageData(0, 0, width, height).data;
              return { size: image.width + "x" + image.height,
                squares: Array.from({ length: width * height }, (_, at) => (bytes[4 * at] + bytes[4 * at + 1] + bytes[4 * at + 2]) / 3) };
            })).then(([one, other]) => {
              if (one.size !== other.size) return null;
              const differences = one.squares.map((light, at) => Math.abs(light - other.squares[at]));
              const mean = differences.reduce((sum, light) => sum + light) / differences.length;
              return [mean, differences.filter((light) => light > 64).length / differences.length];
            });
            """, [base64.b64encode(file).decode() for file in (one, other)], places)

    def sheet(self, pictures, width, columns):
        """One JPEG file of PNG files in base64, in rows, made in a window of its own."""
        before = self.window()
        self.switch(self.new_window())
        self.run("""
            const [pictures, width, columns] = arguments;
            document.body.style.cssText = `margin:0; width:${columns * (width + 8)}px; background:#888; display:grid; gap:8px; padding:4px;`
              + `box-sizing:border-box; grid-template-columns:repeat(${columns}, ${width}px)`;
            document.body.append(...pictures.map((data) => Object.assign(new Image(), { src: "data:image/png;base64," + data, width })));
            return Promise.all([...document.images].map((image) => image.decode()));
            """, pictures, width, columns)
        height = self.run("return document.body.offsetHeight")
        clip = {"x": 0, "y": 0, "width": columns * (width + 8), "height": height, "scale": 1}
        data = self.command("Page.captureScreenshot", format="jpeg", quality=72, captureBeyondViewport=True, clip=clip)["data"]
        self._call("DELETE", "/window")
        self.switch(before)
        return base64.b64decode(data)

    def complaints(self):
        """The messages of the browser's console since the last call."""
        return self._call("POST", "/se/log", {"type": "browser"})

    def wait(self, condition, what, limit=None):
        """Waits until a JavaScript expression is true."""
        limit = limit or patience()
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if self.run(f"return Boolean({condition})"):
                return
            time.sleep(0.02)
        raise AssertionError(f"{what}: not within {limit} s; the page shows {self.run('return document.body.innerText')!r}")

    def close(self):
        try:
            self._call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
