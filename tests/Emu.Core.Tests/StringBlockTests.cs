namespace Emu.Core.Tests;

/// <summary>The blocks for keys and values of any length, beside plainer ones that do the same.</summary>
public sealed class StringBlockTests
{
    [Fact]
    public void The_order_of_use_is_that_of_a_linked_list()
    {
        var (random, list, order) = (new Random(1), new LruList(20), new LinkedList<int>());
        for (var i = 0; i < 20_000; i++)
        {
            var number = random.Next(20);
            if (order.Remove(number))
            {
                if (random.Next(3) == 0)
                {
                    list.Remove(number);
                }
                else
                {
                    list.Use(number);
                    order.AddLast(number);
                }
            }
            else
            {
                list.Add(number);
                order.AddLast(number);
            }
            Assert.Equal(order.Count == 0 ? 20 : order.First!.Value, list.Oldest);
        }
    }

    [Fact]
    public void Chains_hold_what_a_dictionary_does()
    {
        var (random, chains, hashes) = (new Random(1), new HashChains(32), new Dictionary<int, uint>());
        for (var i = 0; i < 20_000; i++)
        {
            var number = random.Next(32);
            if (hashes.Remove(number)) chains.Remove(number);
            else chains.Add(number, hashes[number] = (uint)random.Next(10) * 1000);
            var hash = (uint)random.Next(10) * 1000;
            var found = new List<int>();
            for (var n = chains.First(hash); n != HashChains.None; n = chains.Next(n))
                if (chains.HashOf(n) == hash) found.Add(n);
            Assert.Equal(hashes.Where(pair => pair.Value == hash).Select(pair => pair.Key).Order(), found.Order());
        }
    }

    [Fact]
    public void A_pool_keeps_the_bytes_of_strings()
    {
        var (random, pool, strings) = (new Random(1), new ChunkPool(30, 8), new Dictionary<int, byte[]>());
        for (var i = 0; i < 20_000; i++)
        {
            var length = random.Next(60);
            var chunks = pool.ChunksOf(length);
            Assert.Equal(Math.Max(1, (length + 7) / 8), chunks);
            if (chunks <= pool.Free)
            {
                var made = pool.Make(chunks);
                Assert.False(strings.ContainsKey(made));
                var bytes = strings[made] = new byte[length];
                random.NextBytes(bytes);
                var cut = random.Next(length + 1);
                pool.Write(made, cut, bytes.AsSpan(cut));
                pool.Write(made, 0, bytes.AsSpan(0, cut));
            }
            else
            {
                var gone = strings.Keys.ElementAt(random.Next(strings.Count));
                strings.Remove(gone);
                pool.Release(gone);
            }
            Assert.Equal(30 - strings.Values.Sum(value => pool.ChunksOf(value.Length)), pool.Free);
            if (strings.Count == 0) continue;
            var (first, expected) = strings.ElementAt(random.Next(strings.Count));
            var offset = random.Next(expected.Length + 1);
            var read = new byte[expected.Length - offset];
            pool.Read(first, offset, read);
            Assert.Equal(expected[offset..], read);
            Assert.True(pool.StartsWith(first, expected.AsSpan(0, offset)));
            if (offset == 0) continue;
            var other = expected[..offset];
            other[random.Next(offset)] ^= 1;
            Assert.False(pool.StartsWith(first, other));
        }
    }

    [Fact]
    public void A_cache_has_what_a_dictionary_in_the_order_of_use_has()
    {
        var random = new Random(1);
        var (cache, values, order) = (new StringCache(16, 8, 1), new Dictionary<string, byte[]>(), new List<string>());
        var found = 0;
        for (var i = 0; i < 20_000; i++)
        {
            var name = new string((char)('a' + random.Next(9)), random.Next(12));
            var key = System.Text.Encoding.ASCII.GetBytes(name);
            var entry = cache.Find(key, cache.HashOf(key));
            Assert.Equal(values.ContainsKey(name), entry != StringCache.None);
            Assert.Equal(cache.HashOf(key), cache.HashOf(ShortKey.Of(key)));
            if (key.Length > 0 && cache.FindShort(ShortKey.Of(key), cache.HashOf(key)) is var near
                && near != StringCache.None)
            {
                found++;
                Assert.Equal(entry, near);
            }
            if (entry != StringCache.None)
            {
                var (value, offset) = (values[name], random.Next(values[name].Length + 1));
                Assert.Equal(value.Length, cache.ValueLengthOf(entry));
                var read = new byte[value.Length - offset];
                cache.ReadValue(entry, offset, read);
                Assert.Equal(value[offset..], read);
                var whole = new byte[cache.LengthOf(entry)];
                if (cache.IsInOneChunk(entry))
                {
                    cache.ReadOneChunk(entry, whole);
                    Assert.Equal([.. key, .. value], whole);
                }
                Assert.Equal(whole.Length <= 8, cache.IsInOneChunk(entry));
                order.Remove(name);
                if (random.Next(3) > 0)
                {
                    cache.Use(entry);
                    order.Add(name);
                    continue;
                }
                cache.Remove(entry);
                values.Remove(name);
                continue;
            }
            var added = new byte[random.Next(40)];
            random.NextBytes(added);
            while (!cache.HasRoom(key.Length, added.Length))
            {
                cache.Remove(cache.Oldest);
                values.Remove(order[0]);
                order.RemoveAt(0);
            }
            cache.Add(key, cache.HashOf(key), added);
            values.Add(name, added);
            order.Add(name);
            Assert.Equal(values.Count, cache.Count);
            Assert.Equal(16 - values.Sum(p => Math.Max(1, (p.Key.Length + p.Value.Length + 7) / 8)), cache.Free);
        }
        Assert.InRange(found, 100, 20_000);
    }

    [Fact]
    public void A_short_key_is_a_number_that_no_other_string_has()
    {
        var seen = new HashSet<UInt128>();
        for (var length = 0; length <= ShortKey.MaxLength; length++)
        {
            var key = new byte[length];
            Assert.True(seen.Add(ShortKey.Of(key)));
            for (var i = 0; i < length; i++)
            {
                key[i] = 0xFF;
                Assert.True(seen.Add(ShortKey.Of(key)));
                key[i] = 0;
            }
        }
    }

    [Fact]
    public void A_fingerprint_is_linear_and_fixed_by_its_seed()
    {
        var (random, hash) = (new Random(1), new RabinFingerprint(7));
        var (a, b, zero) = (new byte[50], new byte[50], new byte[50]);
        for (var i = 0; i < 1000; i++)
        {
            random.NextBytes(a);
            random.NextBytes(b);
            byte[] sum = [.. a.Zip(b, (x, y) => (byte)(x ^ y))];
            Assert.Equal(hash.Compute(a) ^ hash.Compute(b) ^ hash.Compute(zero), hash.Compute(sum));
            Assert.Equal(hash.Compute(a), new RabinFingerprint(7).Compute(a));
            Assert.NotEqual(hash.Compute(a), new RabinFingerprint(8).Compute(a));
        }
    }

    [Fact]
    public void Fingerprints_of_like_strings_differ_and_spread_as_dice_would()
    {
        foreach (var seed in new ulong[] { 1, 2, 3 })
        {
            var hash = new RabinFingerprint(seed);
            var seen = new HashSet<uint>();
            var counts = new int[256];
            for (var length = 0; length < 100; length++) Assert.True(seen.Add(hash.Compute(new byte[length])));
            for (var i = 0; i < 10_000; i++)
            {
                var value = hash.Compute(System.Text.Encoding.ASCII.GetBytes($"key:{i}"));
                Assert.True(seen.Add(value));
                counts[value & 255]++;
            }
            // 39 expected; linear, so rather more even than dice, or in few classes: a bound on both.
            Assert.All(counts, count => Assert.InRange(count, 1, 120));
        }
    }

    [Fact]
    public void Numbers_outside_of_their_range_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new LruList(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new HashChains(3));
        Assert.Throws<ArgumentOutOfRangeException>(() => new HashChains(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ChunkPool(0, 8));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ChunkPool(1 << 20, 1 << 20));
    }
}
