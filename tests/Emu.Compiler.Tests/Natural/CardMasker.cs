using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Blackens the numbers of payment cards in log messages on their way to a collector, all but the last four digits
/// (PCI DSS 4.0 §3.4.1; ISO/IEC 7812-1 annex B, the check digit of Luhn; RFC 5426, syslog over UDP).
/// </summary>
/// <remarks>
/// A number is 13 to 19 digits, with single spaces or dashes between them or not, whose check digit is right and whose
/// first digit is that of a card.
/// </remarks>
/// <param name="port">The UDP port of the collector.</param>
public sealed class CardMasker(ushort port = 514) : Service
{
    private const int LeastDigits = 13, MostDigits = 19, DigitsShown = 4;

    /// <summary>Digits one behind another, as far as they have been read.</summary>
    private struct Run
    {
        public int Start;
        public int Digits;
        public byte First;

        /// <summary>The sum with every second digit doubled, from the last one backwards.</summary>
        public int Sum;

        /// <summary>The sum that it is with one more digit behind.</summary>
        public int OtherSum;
        public bool IsBehindSeparator;

        public void Add(int place, int digit)
        {
            if (Digits == 0) (Start, First) = (place, (byte)digit);
            (Sum, OtherSum) = (OtherSum + digit, Sum + Doubled(digit));
            Digits++;
            IsBehindSeparator = false;
        }

        public readonly bool IsCard =>
            Digits is >= LeastDigits and <= MostDigits && First is >= 2 and <= 6 && Sum % 10 == 0;

        private static int Doubled(int digit) => digit < 5 ? 2 * digit : 2 * digit - 9;
    }

    /// <summary>Messages looked at.</summary>
    public Counter Messages { get; } = new();

    /// <summary>Numbers of cards that were blackened.</summary>
    public Counter Masked { get; } = new();

    /// <summary>Messages dropped: their checksum was wrong, and a new one would hide that.</summary>
    public Counter Corrupt { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || ip.IsFragment) return;
        if (!Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port) return;
        if (!udp.HasValidChecksum(ip))
        {
            Corrupt.Increment();
            frame.Drop();
            return;
        }

        Messages.Increment();
        var cards = MaskCards(udp.Payload);
        if (cards == 0) return;
        Masked.Add((ulong)cards);
        if (udp.Checksum != 0) udp.WriteChecksum(ip);
    }

    private static int MaskCards(Span<byte> text)
    {
        var cards = 0;
        var run = new Run();
        for (var i = 0; i < text.Length; i++)
        {
            var letter = text[i];
            if (IsDigit(letter))
            {
                run.Add(i, letter - '0');
                continue;
            }
            if (letter is (byte)' ' or (byte)'-' && run.Digits > 0 && !run.IsBehindSeparator)
            {
                run.IsBehindSeparator = true;
                if (!run.IsCard) continue;
            }
            if (run.IsCard)
            {
                Mask(text[run.Start..i], run.Digits - DigitsShown);
                cards++;
            }
            run = default;
        }
        if (run.IsCard)
        {
            Mask(text[run.Start..], run.Digits - DigitsShown);
            cards++;
        }
        return cards;
    }

    private static void Mask(Span<byte> number, int digits)
    {
        for (var i = 0; digits > 0; i++)
        {
            if (!IsDigit(number[i])) continue;
            number[i] = (byte)'*';
            digits--;
        }
    }

    private static bool IsDigit(byte letter) => letter is >= (byte)'0' and <= (byte)'9';
}
