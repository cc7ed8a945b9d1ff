public let nameQRCode = "QRCode"
