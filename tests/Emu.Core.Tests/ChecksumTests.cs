using FsCheck;
using FsCheck.Fluent;

namespace Emu.Core.Tests;

public sealed class ChecksumTests
{
    [Fact]
    public void The_sum_of_RFC_1071_section_3()
    {
        byte[] bytes = [0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7];
        Assert.Equal(0xDDF2UL, InternetChecksum.Sum(bytes));
        Assert.Equal(0x220D, InternetChecksum.Compute(bytes));
    }

    [Fact]
    public void Every_length_and_alignment_sums_like_the_definition()
    {
        var bytes = new byte[300];
        new System.Random(1).NextBytes(bytes);
        for (var start = 0; start < 8; start++)
        {
            for (var length = 0; length <= 256; length++)
                Assert.Equal(
                    ByDefinition(bytes.AsSpan(start, length)), InternetChecksum.Compute(bytes.AsSpan(start, length)));
        }
    }

    [Fact]
    public void Bytes_behind_others_add_their_sum()
    {
        var bytes = new byte[90];
        new System.Random(5).NextBytes(bytes);
        for (var length = 0; length < bytes.Length; length++)
        {
            var behind = (ushort)InternetChecksum.Sum(bytes.AsSpan(length));
            var sum = InternetChecksum.Sum(bytes.AsSpan(0, length)) + InternetChecksum.Behind(length, behind);
            Assert.Equal(InternetChecksum.Compute(bytes), InternetChecksum.Finish(sum));
        }
    }

    [Fact]
    public void A_number_sums_like_its_bytes()
    {
        var random = new System.Random(4);
        var bytes = new byte[16];
        for (var round = 0; round < 1000; round++)
        {
            random.NextBytes(bytes);
            var wide = System.Buffers.Binary.BinaryPrimitives.ReadUInt128BigEndian(bytes);
            Assert.Equal(InternetChecksum.Compute(bytes), InternetChecksum.Finish(InternetChecksum.Sum(wide)));
            Assert.Equal(
                InternetChecksum.Compute(bytes.AsSpan(12)), InternetChecksum.Finish(InternetChecksum.Sum((uint)wide)));
        }
    }

    [Fact]
    public void All_ones_sum_to_all_ones_however_long()
    {
        var bytes = new byte[9018];
        Array.Fill(bytes, (byte)0xFF);
        Assert.Equal(0, InternetChecksum.Compute(bytes));
        Assert.True(InternetChecksum.IsValid(InternetChecksum.Sum(bytes)));
    }

    [Fact]
    public void Data_with_its_checksum_in_place_is_valid_and_a_flipped_bit_is_not()
    {
        var random = new System.Random(2);
        for (var round = 0; round < 1000; round++)
        {
            var bytes = new byte[2 * random.Next(2, 100)];
            random.NextBytes(bytes);
            bytes[2] = bytes[3] = 0;
            System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(
                bytes.AsSpan(2), InternetChecksum.Compute(bytes));
            Assert.True(InternetChecksum.IsValid(InternetChecksum.Sum(bytes)));
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            Assert.False(InternetChecksum.IsValid(InternetChecksum.Sum(bytes)));
        }
    }

    [Fact]
    public void An_update_gives_what_computing_anew_gives()
    {
        Prop.ForAll<ushort, ushort, ushort[]>((before, after, others) =>
        {
            var rest = others.Aggregate(0UL, (sum, word) => sum + word);
            var old = InternetChecksum.Finish(rest + before);
            var updated = InternetChecksum.Update(old, before, after);
            // RFC 1624 §3: both zeros mean the same to a receiver; data that is all zero is the one case
            // where they differ.
            return InternetChecksum.IsValid(rest + after + updated) || rest + after == 0;
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void A_change_and_the_change_back_leave_a_checksum_as_it_was()
    {
        var random = new System.Random(5);
        for (var round = 0; round < 10_000; round++)
        {
            var checksum = (ushort)random.Next(1, ushort.MaxValue);
            var change = InternetChecksum.Change((uint)random.NextInt64(1L << 32), (uint)random.NextInt64(1L << 32));
            if (round % 2 == 0)
                change += InternetChecksum.Change((uint)random.NextInt64(1L << 32), (uint)random.NextInt64(1L << 32));
            Assert.Equal(
                checksum,
                InternetChecksum.Update(InternetChecksum.Update(checksum, change), InternetChecksum.Back(change)));
        }
    }

    [Fact]
    public void The_example_of_RFC_1624_section_4() =>
        Assert.Equal(0x0000, InternetChecksum.Update(0xDD2F, 0x5555, 0x3285));

    [Fact]
    public void The_CRC_of_the_nine_digits()
    {
        Assert.Equal(0xCBF4_3926, Crc32.Compute("123456789"u8));
        Assert.Equal(0xCBF4_3926, Crc32.Update(Crc32.Compute("1234"u8), "56789"u8));
        Assert.Equal(0U, Crc32.Compute([]));
    }

    private static ushort ByDefinition(ReadOnlySpan<byte> bytes)
    {
        uint sum = 0;
        for (var i = 0; i < bytes.Length; i++)
        {
            sum += (uint)(i % 2 == 0 ? bytes[i] << 8 : bytes[i]);
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        return (ushort)~sum;
    }
}
