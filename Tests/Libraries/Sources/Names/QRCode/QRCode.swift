package let nameQRCode = "QRCode"
