import { QRCodeSVG } from 'qrcode.react';

const MARGIN_MODULES = 1;

/** The link stands beside the code as text, so screen readers skip the code. */
export default function ShareQr({ link }: { link: string }) {
  return (
    <QRCodeSVG
      value={link}
      marginSize={MARGIN_MODULES}
      level="M"
      fgColor="#10141c"
      bgColor="#ffffff"
      aria-hidden="true"
    />
  );
}
