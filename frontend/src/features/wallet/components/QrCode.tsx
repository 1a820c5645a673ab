import { QRCodeSVG } from 'qrcode.react';
import styles from './wallet.module.css';

const SIZE_PX = 256;
const MARGIN_MODULES = 1;

/** Upper-case text gives a smaller QR code. The case of the letters does not change the meaning of an invoice. */
export default function QrCode({ text }: { text: string }) {
  return (
    <QRCodeSVG
      className={styles.qr}
      value={text.toUpperCase()}
      size={SIZE_PX}
      marginSize={MARGIN_MODULES}
      level="L"
      fgColor="#10141c"
      bgColor="#ffffff"
      aria-hidden="true"
    />
  );
}
